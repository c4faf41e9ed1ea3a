// Form that raises an event on a scope manually.
import type { FieldMeta } from '@yagura/core/resource/field';
import { useTranslation } from '../../../ui/translation.tsx';
import { DialogForm } from '../../dialog-form.tsx';

export function RaiseEvent({ meta }: { meta: Record<string, FieldMeta> }) {
  const { t } = useTranslation();
  return (
    <DialogForm
      intent="raise"
      label={t('page.raise-event')}
      title={t('page.raise-event')}
      submitLabel={t('page.raise')}
      meta={meta}
      action="?index"
      button={{ size: 'small', icon: 'plus' }}
    />
  );
}
