// Dialog that acknowledges a scope of a list.
import type { FieldMeta } from '@yagura/core/resource/field';
import { useTranslation } from '../ui/translation.tsx';
import { FormDialog } from './dialog-form.tsx';
import { acknowledgeIntents } from './screens/scopes/acknowledge-intents.ts';

export interface AcknowledgeDialogProps {
  /** The scope. */
  item: Record<string, unknown>;
  /** The field of the note. */
  meta: Record<string, FieldMeta>;
  /** Address to post to; the form names the scope. */
  action: string;
  onClose: () => void;
}

export default function AcknowledgeDialog({ item, meta, action, onClose }: AcknowledgeDialogProps) {
  const { t } = useTranslation();
  return <FormDialog {...acknowledgeForm(item, t)} meta={meta} action={action} open onClose={onClose} />;
}

/** The form with which the status of a scope is acknowledged that the user has seen. */
export function acknowledgeForm(item: Record<string, unknown>, t: ReturnType<typeof useTranslation>['t']) {
  return {
    intent: acknowledgeIntents.acknowledge,
    title: t('acknowledge.title', { name: String(item.displayName) }),
    submitLabel: t('acknowledge.button'),
    hints: { note: t('acknowledge.hint') },
    hidden: { scopeId: String(item.scopeId), raisedAt: String(item.raisedAt) },
  };
}
