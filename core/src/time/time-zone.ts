// Time zones by IANA name or UTC offset.
import { isZone } from './zone-clock.ts';

/**
 * An IANA name known to the runtime (`Asia/Tokyo`) or an offset from UTC-12 to UTC+14 (`UTC`, `UTC+9`,
 * `UTC-3:30`).
 */
export function isTimeZone(text: string): boolean {
  return isZone(text);
}

/** Whole-hour offsets from UTC-12 to UTC+14, for the UTC-only mode of a time zone field. */
export const utcOffsets: readonly string[] = Array.from({ length: 27 }, (_, index) => {
  const hours = index - 12;
  return hours === 0 ? 'UTC' : `UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
});

/** Options of a time zone field: all IANA names known to the runtime, UTC first. */
export function timeZoneNames(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

/** Time zone of this machine; never use it as the user's time zone on a server. */
export function localTimeZone(): string {
  return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
}
