// Create form of any resource.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { createAction } from '../write/write.server.ts';
import { createData } from './create-data.server.ts';
import { FormScreen } from './form-screen.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);
export const action = createAction;

export default function Create() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} actionData={refusal} mode="create" cancelHref={data.screen} />
  );
}
