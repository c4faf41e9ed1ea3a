// Parses times and durations as typed by users.
import { UsageError } from '../../command-line/usage-error.ts';

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of `90`, `5m`, `1h30m`, `7d`; undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  if (!/^(\d{1,9}[smhdw])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit!]!,
    0,
  );
}

/**
 * Returns ISO 8601 for a date, a date and time (local without a zone), `now`, or a duration before (`2h`) or
 * after (`+2h`) now.
 */
export function parseTime(text: string, flag: string, now: number): string {
  const after = text.startsWith('+');
  const length =
    text === 'now' ? 0 : /[smhdw]$/.test(text) ? parseDuration(after ? text.slice(1) : text) : undefined;
  const instant =
    length !== undefined
      ? now + (after ? length : -length) * 1000
      : /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
        ? Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T'))
        : Number.NaN;
  if (Number.isNaN(new Date(instant).getTime())) throw new UsageError('cli.usage.moment', { flag, text });
  return new Date(instant).toISOString();
}
