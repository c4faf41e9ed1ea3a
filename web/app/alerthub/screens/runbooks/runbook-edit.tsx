// Form for editing a runbook's name and remarks.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { handleWrite, redirectWithNotice, replacedVersion } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { formValues, withoutGraph } from './runbook-form.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await editData(args);
  return { ...data, meta: withoutGraph(data.meta) };
}

export async function action(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, match, values, form) => {
    const id = args.params.runbookId!;
    await api
      .client<Record<string, unknown>, Record<string, unknown>>(match.resource)
      .edit(id, formValues(values), match.params, { ifMatch: replacedVersion(form) });
    return redirectWithNotice(`${match.screen}/${encodeURIComponent(id)}`, 'saved');
  });
}

export default function RunbookEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} actionData={refusal} mode="edit" />;
}
