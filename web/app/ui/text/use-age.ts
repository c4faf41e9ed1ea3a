// Relative time of an instant while it is near, by the browser's clock.
import { formatAge } from '@yagura/core/format/duration';
import { useTranslation } from '../translation.tsx';
import { useNow } from '../use-now.ts';

/** Maximum age in milliseconds that is shown as a relative time. */
const relativeTimeLimitMs = 24 * 3_600_000;
/** How far the browser's clock may be behind the server's, in milliseconds, for `just now` to be close enough. */
const maxClockSkewMs = 5 * 60_000;

const upcomingField =
  /^(?:next\w+At|(?:begin|closes|ends?|expires)At|(?:active|muted|proved)Until|expectedBy|oneshot)$/;

/** Whether instants in the field may still be to come; those in all others are in the past by the server's clock. */
export const isUpcoming = (fieldName: string) => upcomingField.test(fieldName);

/**
 * `3 min ago`, or null if the instant is not near, and until hydration. Without `upcoming`, an instant in the future means
 * that the browser's clock is behind.
 */
export function useAge(value: string, upcoming: boolean): string | null {
  const { t } = useTranslation();
  const instant = Date.parse(value);
  const now = useNow(instant);
  if (now === null) return null;
  if (!upcoming && instant > now) return instant - now < maxClockSkewMs ? formatAge(now, now, t) : null;
  return Math.abs(now - instant) < relativeTimeLimitMs ? formatAge(instant, now, t) : null;
}
