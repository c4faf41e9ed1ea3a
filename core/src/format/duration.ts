// Formats durations and ages as text.
import type { Translate } from '../i18n/translator.ts';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `3725` seconds become `1 hour 2 minutes`: the two largest nonzero units, rounded down. */
export function formatDuration(seconds: number, t: Translate): string {
  if (!Number.isFinite(seconds)) return '';
  let rest = Math.floor(Math.abs(seconds));
  const start = units.findIndex(([, size]) => rest >= size);
  if (start < 0) return t('format.duration.second', { count: 0 });
  const parts: string[] = [];
  for (const [name, size] of units.slice(start, start + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(t(`format.duration.${name}`, { count }));
  }
  return parts.join(t('format.duration.gap'));
}

/**
 * Age of an instant relative to `now` (both ISO 8601 or epoch milliseconds): `3 min ago`, `in 2 h`, `just
 * now`.
 */
export function formatAge(instant: string | number, now: string | number, t: Translate): string {
  const at = typeof instant === 'number' ? instant : Date.parse(instant);
  const from = typeof now === 'number' ? now : Date.parse(now);
  const seconds = Math.round((from - at) / 1000);
  if (Number.isNaN(seconds)) return '';
  const size = Math.abs(seconds);
  if (size < 10) return t('format.age.now');
  const [name, length] = units.find(([, unit]) => size >= unit)!;
  const count = Math.floor(size / length);
  return t(`format.age.${seconds > 0 ? 'past' : 'future'}.${name}`, { count });
}
