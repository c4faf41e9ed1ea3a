// The form that makes a new runbook; its steps are drawn afterwards.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { handleWrite, leave } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { askedValues, withoutGraph } from './runbook-form.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await createData(args);
  return { ...data, meta: withoutGraph(data.meta) };
}

export async function action(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, placed, values) => {
    const made = await api
      .client<Record<string, unknown>, Record<string, unknown>>(placed.resource)
      .create(askedValues(values), placed.params);
    return leave(`${placed.screen}/${String(made.runbookId)}/flow`, 'created');
  });
}

export default function RunbookCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.screen} {...data} refusal={refusal} mode="create" cancelHref={data.screen} />;
}
