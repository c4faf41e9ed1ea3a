// Timestamp: short local date and time, ISO 8601 on hover, and a relative time while it is recent.
import { formatDateTime } from '@yagura/core/format/date-time';
import { useTranslation } from '../translation.tsx';
import { useAge } from './use-age.ts';

/** `upcoming`: the instant may still be to come. */
export function Time(props: { value: string; age?: boolean; upcoming?: boolean }) {
  const { value, age: showsAge = true, upcoming = false } = props;
  const { language, timeZone } = useTranslation();
  const age = useAge(value, upcoming);
  return (
    <time dateTime={value} title={`${value} · ${timeZone}`} className="tabular-nums">
      <span className="whitespace-nowrap">{formatDateTime(value, { language, timeZone })}</span>
      {showsAge && age !== null && (
        <>
          {' '}
          <span className="text-xs whitespace-nowrap text-muted">{age}</span>
        </>
      )}
    </time>
  );
}
