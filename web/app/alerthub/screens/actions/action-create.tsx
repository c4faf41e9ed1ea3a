// Form for a new action.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../../resource/form/create-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { createAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { TemplateHelp } from '../../actions/template-help.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export const action = createAction;

export default function ActionCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} actionData={refusal} mode="create" cancelHref={data.screen}>
      <TemplateHelp />
    </FormScreen>
  );
}
