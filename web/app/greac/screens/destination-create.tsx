// Form for a new destination.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { createAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { credentialNames } from './destination-references.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const form = await createData(args);
  const names = await withApi(args, credentialNames);
  return { ...form, references: { ...form.references, ...names } };
}

export const action = createAction;

export default function DestinationCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} actionData={refusal} mode="create" cancelHref={data.screen} />
  );
}
