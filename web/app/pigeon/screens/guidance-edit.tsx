// The form that changes a guidance.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/edit-data.server.ts';
import { FormScreen } from '../../resource/form-screen.tsx';
import { editFrom } from '../../resource/write.server.ts';
import { useActionResult } from '../../shell/use-reply.ts';
import { guidanceFields } from '../guidance-fields.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);

export const action = editFrom;

export default function GuidanceEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} refusal={refusal} mode="edit" fields={guidanceFields} />;
}
