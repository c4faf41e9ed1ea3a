// Form for a new callflow.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createData } from '../../resource/form/create-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { createAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { withApi } from '../../signin/api.server.ts';
import { QuietHoursField } from '../quiet-hours-field.tsx';
import { handlePreview, isPreviewRequest, listGuidances } from '../ring-preview/ring-preview.server.ts';
import { RingPreviewPanel } from '../ring-preview/ring-preview-panel.tsx';
import { TransferField } from '../transfer-field.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const [data, guidances] = await Promise.all([createData(args), withApi(args, listGuidances)]);
  return { ...data, guidances };
}

export async function action(args: ActionFunctionArgs) {
  return (await isPreviewRequest(args.request)) ? handlePreview(args) : createAction(args);
}

export default function CallflowCreate() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  return (
    <FormScreen
      key={data.screen}
      {...data}
      actionData={refusal}
      mode="create"
      cancelHref={data.screen}
      fields={(values) => ({
        transferTo: <TransferField value={values.transferTo} contacts={data.references.contact ?? {}} />,
        quietHours: <QuietHoursField value={values.quietHours} />,
      })}
    >
      <RingPreviewPanel guidance={{ options: data.guidances }} />
    </FormScreen>
  );
}
