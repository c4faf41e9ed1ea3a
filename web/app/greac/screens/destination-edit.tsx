// Form for editing a destination.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { credentialNames } from './destination-references.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const form = await editData(args);
  const names = await withApi(args, credentialNames);
  return { ...form, references: { ...form.references, ...names } };
}

export const action = editAction;

export default function DestinationEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} actionData={refusal} mode="edit" />;
}
