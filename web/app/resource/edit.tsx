// The form that changes an item of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useActionResult } from '../shell/use-reply.ts';
import { editData } from './edit-data.server.ts';
import { FormScreen } from './form-screen.tsx';
import { editFrom } from './write.server.ts';

export const loader = (args: LoaderFunctionArgs) => editData(args);
export const action = editFrom;

export default function Edit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} refusal={refusal} mode="edit" />;
}
