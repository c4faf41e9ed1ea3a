// Form for a new runbook; the steps are added afterwards.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../../resource/form/create-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { copyParam } from '../../../resource/write/hidden-field.ts';
import { handleWrite, redirectWithNotice } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { fetchExactGraph, formValues, withoutGraph } from './runbook-form.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await createData(args);
  return { ...data, meta: withoutGraph(data.meta) };
}

export async function action(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, match, values) => {
    const copied = new URL(args.request.url).searchParams.get(copyParam);
    const graph = copied === null ? {} : (await fetchExactGraph(api, copied)).graph;
    const made = await api
      .client<Record<string, unknown>, Record<string, unknown>>(match.resource)
      .create({ ...formValues(values), ...graph }, match.params);
    return redirectWithNotice(`${match.screen}/${String(made.runbookId)}/flow`, 'created');
  });
}

export default function RunbookCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} actionData={refusal} mode="create" cancelHref={data.screen} />
  );
}
