// Form for the retention of messages and their results, with its consequences explained.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../../resource/form/form-screen.tsx';
import { editAction } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { useTranslation } from '../../../ui/translation.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);
export const action = editAction;

export default function RetentionEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { t } = useTranslation();
  return (
    <FormScreen
      key={data.version}
      {...data}
      actionData={refusal}
      mode="edit"
      hints={{ messageDays: t('retention.message-hint'), historyDays: t('retention.history-hint') }}
    >
      <p className="text-sm text-muted">{t('retention.about')}</p>
    </FormScreen>
  );
}
