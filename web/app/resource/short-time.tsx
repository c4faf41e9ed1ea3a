// Compact timestamp: relative for a day, then date and time; the full form on hover.
import { formatDateTime } from '@yagura/core/format/date-time';
import { formatAge } from '@yagura/core/format/duration';
import { useTranslation } from '../ui/translation.tsx';
import { useNow } from '../ui/use-now.ts';

/** Maximum age in milliseconds that is shown as a relative time. */
const relativeTimeLimitMs = 24 * 3_600_000;

export function ShortTime({ value }: { value: string }) {
  const { t, language, timeZone } = useTranslation();
  const instant = Date.parse(value);
  const now = useNow(instant);
  const full = formatDateTime(value, { language, timeZone });
  const relative = now !== null && Math.abs(now - instant) < relativeTimeLimitMs;
  return (
    <time dateTime={value} title={`${full} ${timeZone}`} className="whitespace-nowrap tabular-nums">
      {relative ? formatAge(value, now, t) : full}
    </time>
  );
}
