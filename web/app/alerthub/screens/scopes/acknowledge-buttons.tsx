// Buttons in the header of a scope that acknowledge its status, or withdraw the acknowledgement.
import type { FieldMeta } from '@yagura/core/resource/field';
import { useTranslation } from '../../../ui/translation.tsx';
import { acknowledgeForm } from '../../acknowledge-dialog.tsx';
import { ConfirmButton } from '../../confirm-button.tsx';
import { DialogForm } from '../../dialog-form.tsx';
import { acknowledgeIntents } from './acknowledge-intents.ts';

export interface AcknowledgeButtonsProps {
  /** The scope. */
  item: Record<string, unknown>;
  /** Address of its pages. */
  base: string;
  /** The field of the note. */
  meta: Record<string, FieldMeta>;
}

/** Nothing while the status is normal. */
export function AcknowledgeButtons({ item, base, meta }: AcknowledgeButtonsProps) {
  const { t } = useTranslation();
  const name = String(item.displayName);
  if (item.raisedAt === null) return null;
  if (item.acknowledgedAt !== null)
    return (
      <ConfirmButton
        intent={acknowledgeIntents.withdraw}
        label={t('acknowledge.withdraw')}
        title={t('acknowledge.withdraw-title', { name })}
        text={t('acknowledge.withdraw-text')}
        action={base}
      />
    );
  return (
    <DialogForm
      {...acknowledgeForm(item, t)}
      label={t('acknowledge.button')}
      meta={meta}
      action={base}
      button={{ variant: 'primary' }}
    />
  );
}
