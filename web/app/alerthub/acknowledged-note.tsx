// Says who has acknowledged a scope, and with which note.
import { useTranslation } from '../ui/translation.tsx';

/** Both are fields of a scope; `by` is null if nobody has. */
export function AcknowledgedNote({ by, note }: { by: unknown; note?: unknown }) {
  const { t } = useTranslation();
  if (typeof by !== 'string') return null;
  return (
    <span className="inline-block text-xs font-medium text-muted">
      {note ? t('acknowledge.by-note', { name: by, note }) : t('acknowledge.by', { name: by })}
    </span>
  );
}
