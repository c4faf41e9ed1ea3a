// The form that makes a new rule.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { screen } from '../../signin/api.server.ts';
import { operators } from './catalogue.server.ts';
import { ruleFields } from './rule-fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return { ...(await createData(args)), operators: await screen(args, operators) };
}

export const action = createFrom;

export default function RuleCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      refusal={refusal}
      doing="create"
      cancelHref={data.screen}
      fields={(values) => ruleFields(data.face.form, values, data.operators, data.references)}
    />
  );
}
