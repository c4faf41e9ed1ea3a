// The form that changes the name and remarks of a runbook.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { tagField } from '../../resource/hidden-field.ts';
import { leave, written } from '../../resource/write.server.ts';
import { useReply } from '../../shell/use-reply.ts';
import { askedValues, withoutGraph } from './runbook-form.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const data = await editData(args);
  return { ...data, face: withoutGraph(data.face) };
}

export async function action(args: ActionFunctionArgs) {
  return written(args, async (api, placed, values, form) => {
    const id = args.params.runbookId!;
    const ifMatch = String(form.get(tagField) ?? '') || undefined;
    await api
      .client<Record<string, unknown>, Record<string, unknown>>(placed.resource)
      .edit(id, askedValues(values), placed.place, { ifMatch });
    return leave(`${placed.screen}/${encodeURIComponent(id)}`, 'saved');
  });
}

export default function RunbookEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useReply<typeof action>();
  return <FormScreen key={data.version} {...data} refusal={refusal} doing="edit" />;
}
