// Form for editing a callflow.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { TransferField } from '../transfer-field.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);

export const action = editAction;

export default function CallflowEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.version}
      {...data}
      actionData={refusal}
      mode="edit"
      fields={(values) => ({
        transferTo: <TransferField value={values.transferTo} contacts={data.references.contact ?? {}} />,
      })}
    />
  );
}
