// Compact timestamp: relative for a day, then date and time; the full form on hover and on paper.
import { formatDateTime } from '@yagura/core/format/date-time';
import { useAge } from '../ui/text/use-age.ts';
import { useTranslation } from '../ui/translation.tsx';

/** `upcoming`: the instant may still be to come. */
export function ShortTime({ value, upcoming }: { value: string; upcoming: boolean }) {
  const { language, timeZone } = useTranslation();
  const age = useAge(value, upcoming);
  const full = formatDateTime(value, { language, timeZone });
  return (
    <time
      dateTime={value}
      title={`${full} ${timeZone}`}
      className="short-time whitespace-nowrap tabular-nums"
    >
      <span>{age ?? full}</span>
    </time>
  );
}
