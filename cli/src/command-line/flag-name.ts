// Maps field paths to flags: `thresholds.warning` is `--thresholds.warning`, `displayName` is
// `--display-name`.

/** Query parameters with shorter flag names. */
const shortFlags: Record<string, string> = { sinceAt: '--since', untilAt: '--until' };

export function flagOf(field: string): string {
  // List items have no flag of their own: `eventParams.0.delta` is `--event-params [0.delta]`.
  const [, list, index] = /^(.*?)\.(\d+(?:\..*)?)$/.exec(field) ?? [];
  if (list && index) return `${flagOf(list)} [${index}]`;
  return shortFlags[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
