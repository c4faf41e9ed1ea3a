// Time zones by name or UTC offset.
import { isZone } from './zone-clock.ts';

/** An IANA name that the runtime knows (`Asia/Tokyo`) or an offset from UTC-12 to UTC+14 (`UTC`, `UTC+9`, `UTC-3:30`). */
export function isTimeZone(text: string): boolean {
  return isZone(text);
}

/** The whole-hour offsets from UTC-12 to UTC+14, as the UTC-only mode of a time zone field offers them. */
export const utcOffsets: readonly string[] = Array.from({ length: 27 }, (_, index) => {
  const hours = index - 12;
  return hours === 0 ? 'UTC' : `UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
});

/** The zones that a time zone field offers: every IANA name that the runtime knows, UTC first. */
export function timeZoneNames(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}

/** The zone of this machine; a server must never take it for the viewer's. */
export function localTimeZone(): string {
  return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
}
