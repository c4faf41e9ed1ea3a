// The form that changes the name and remarks of a runbook.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { tagField } from '../../resource/hidden-field.ts';
import { handleWrite, leave } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { askedValues, withoutGraph } from './runbook-form.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await editData(args);
  return { ...data, meta: withoutGraph(data.meta) };
}

export async function action(args: ActionFunctionArgs) {
  return handleWrite(args, async (api, placed, values, form) => {
    const id = args.params.runbookId!;
    const ifMatch = String(form.get(tagField) ?? '') || undefined;
    await api
      .client<Record<string, unknown>, Record<string, unknown>>(placed.resource)
      .edit(id, askedValues(values), placed.params, { ifMatch });
    return leave(`${placed.screen}/${encodeURIComponent(id)}`, 'saved');
  });
}

export default function RunbookEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} refusal={refusal} mode="edit" />;
}
