// Form for editing a callflow.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { QuietHoursField } from '../quiet-hours-field.tsx';
import { handlePreview, isPreviewRequest, listGuidances } from '../ring-preview/ring-preview.server.ts';
import { RingPreviewPanel } from '../ring-preview/ring-preview-panel.tsx';
import { TransferField } from '../transfer-field.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const [data, guidances] = await Promise.all([editData(args), withApi(args, listGuidances)]);
  return { ...data, guidances };
}

export async function action(args: ActionFunctionArgs) {
  return (await isPreviewRequest(args.request)) ? handlePreview(args) : editAction(args);
}

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
        quietHours: <QuietHoursField value={values.quietHours} />,
      })}
    >
      <RingPreviewPanel guidance={{ options: data.guidances }} />
    </FormScreen>
  );
}
