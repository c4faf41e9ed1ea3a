// A moment in little room: its age while it is young, its date and time afterwards; the full form on hover.
import { formatDateTime } from '@yagura/core/format/date-time';
import { formatAge } from '@yagura/core/format/duration';
import { useNow } from '../ui/now.ts';
import { useTranslation } from '../ui/words.tsx';

/** Ages are told within this many milliseconds of now. */
const young = 24 * 3_600_000;

export function ShortTime({ value }: { value: string }) {
  const { t, language, timeZone } = useTranslation();
  const now = useNow();
  const full = formatDateTime(value, { language, timeZone });
  const near = now !== null && Math.abs(now - Date.parse(value)) < young;
  return (
    <time dateTime={value} title={`${full} ${timeZone}`} className="whitespace-nowrap tabular-nums">
      {near ? formatAge(value, now, t) : full}
    </time>
  );
}
