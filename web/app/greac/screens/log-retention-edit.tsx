// Form for how long session logs are kept.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { editData } from '../../resource/form/edit-data.server.ts';
import { FormScreen } from '../../resource/form/form-screen.tsx';
import { editAction } from '../../resource/write/write.server.ts';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { useTranslation } from '../../ui/translation.tsx';

export const loader = (args: LoaderFunctionArgs) => editData(args);
export const action = editAction;

export default function LogRetentionEdit() {
  const data = useLoaderData<typeof loader>();
  const refusal = useActionResult<typeof action>();
  const { t } = useTranslation();
  return (
    <FormScreen
      key={data.version}
      {...data}
      actionData={refusal}
      mode="edit"
      hints={{ logDays: t('greac.retention-hint') }}
    >
      <p className="text-sm text-muted">{t('greac.retention-about')}</p>
    </FormScreen>
  );
}
