// The form that makes a new destination.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { withApi } from '../../signin/api.server.ts';
import { credentialNames } from './destination-references.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const form = await createData(args);
  const names = await withApi(args, credentialNames);
  return { ...form, references: { ...form.references, ...names } };
}

export const action = createFrom;

export default function DestinationCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.screen} {...data} refusal={refusal} mode="create" cancelHref={data.screen} />;
}
