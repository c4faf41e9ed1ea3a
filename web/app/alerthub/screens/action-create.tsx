// The form that makes a new action.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/create-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { createFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { TemplateHelp } from '../template-help.tsx';

export const loader = (args: LoaderFunctionArgs) => createData(args);

export const action = createFrom;

export default function ActionCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen key={data.screen} {...data} refusal={refusal} mode="create" cancelHref={data.screen}>
      <TemplateHelp />
    </FormScreen>
  );
}
