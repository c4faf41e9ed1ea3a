// Timestamp: short local date and time, ISO 8601 on hover, and a relative time while it is recent.
import { formatDateTime } from '@yagura/core/format/date-time';
import { formatAge } from '@yagura/core/format/duration';
import { useTranslation } from '../translation.tsx';
import { useNow } from '../use-now.ts';

/** Maximum age in milliseconds that is shown as a relative time. */
const relativeTimeLimitMs = 24 * 3_600_000;

export function Time({ value, age = true }: { value: string; age?: boolean }) {
  const { t, language, timeZone } = useTranslation();
  const instant = Date.parse(value);
  const now = useNow(instant);
  const relative = age && now !== null && Math.abs(now - instant) < relativeTimeLimitMs;
  return (
    <time dateTime={value} title={`${value} · ${timeZone}`} className="tabular-nums">
      <span className="whitespace-nowrap">{formatDateTime(value, { language, timeZone })}</span>
      {relative && (
        <>
          {' '}
          <span className="text-xs whitespace-nowrap text-muted">{formatAge(value, now, t)}</span>
        </>
      )}
    </time>
  );
}
