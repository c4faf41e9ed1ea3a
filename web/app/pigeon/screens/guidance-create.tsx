// Form for a new guidance.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { createAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { guidanceFields } from '../guidance-fields.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export const action = createAction;

export default function GuidanceCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      actionData={refusal}
      mode="create"
      cancelHref={data.screen}
      fields={guidanceFields}
    />
  );
}
