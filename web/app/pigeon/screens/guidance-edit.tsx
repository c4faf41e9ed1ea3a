// Form for editing a guidance.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { guidanceFields } from '../guidance-fields.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);

export const action = editAction;

export default function GuidanceEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return <FormScreen key={data.version} {...data} actionData={refusal} mode="edit" fields={guidanceFields} />;
}
