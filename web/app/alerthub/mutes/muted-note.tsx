// Says until when a mute schedule mutes a scope.
import { formatDateTime } from '@yagura/core/format/date-time';
import { useTranslation } from '../../ui/translation.tsx';

/** `until` is the field of a scope; null if it is not muted. */
export function MutedNote({ until }: { until: unknown }) {
  const translation = useTranslation();
  if (typeof until !== 'string') return null;
  return (
    <span className="inline-block text-xs font-medium text-warning-fg">
      {translation.t('mute.until', { time: formatDateTime(until, translation) })}
    </span>
  );
}
