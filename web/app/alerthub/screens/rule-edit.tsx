// The form that changes a rule.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { editFrom } from '../../resource/write.server.ts';
import { screen } from '../../signin/api.server.ts';
import { operators } from './catalogue.server.ts';
import { ruleFields } from './rule-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return { ...(await editData(args)), operators: await screen(args, operators) };
}

export const action = editFrom;

export default function RuleEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <FormScreen
      key={data.version}
      {...data}
      refusal={refusal}
      doing="edit"
      fields={(values) => ruleFields(data.face.form, values, data.operators, data.references)}
    />
  );
}
