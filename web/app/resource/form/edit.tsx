// Edit form of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { editAction } from '../write/write.server.ts';
import { editData } from './edit-data.server.ts';
import { FormScreen } from './form-screen.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);
export const action = editAction;

export default function Edit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} actionData={refusal} mode="edit" />;
}
