// Fields as flags: `thresholds.warning` is `--thresholds.warning`, `displayName` is `--display-name`.

/** Query parameters whose flags have shorter names. */
const short: Record<string, string> = { sinceAt: '--since', untilAt: '--until' };

export function flagOf(field: string): string {
  return short[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
