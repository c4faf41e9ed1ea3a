// A moment: short local date and time, its full ISO form on hover, its age beside it while it is young.
import { formatDateTime } from '@yagura/core/format/date-time';
import { formatAge } from '@yagura/core/format/duration';
import { useNow } from './now.ts';
import { useTranslation } from './words.tsx';

/** Ages are told within this many milliseconds of now. */
const young = 24 * 3_600_000;

export function Time({ value, age = true }: { value: string; age?: boolean }) {
  const { t, language, timeZone } = useTranslation();
  const now = useNow();
  const instant = Date.parse(value);
  const near = age && now !== null && Math.abs(now - instant) < young;
  return (
    <time dateTime={value} title={`${value} · ${timeZone}`} className="tabular-nums">
      <span className="whitespace-nowrap">{formatDateTime(value, { language, timeZone })}</span>
      {near && (
        <span className="ml-1.5 text-xs whitespace-nowrap text-muted">{formatAge(value, now, t)}</span>
      )}
    </time>
  );
}
