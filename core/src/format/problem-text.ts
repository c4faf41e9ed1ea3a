// Formats a problem as one line.

/**
 * `title: detail`, `error: title` without a detail, an empty string for a cancelled request, otherwise the
 * error message.
 */
export function problemText(problem: unknown): string {
  if (typeof problem === 'string') return problem;
  if (typeof problem !== 'object' || problem === null) return '';
  const { name, title, detail, message } = problem as Record<string, unknown>;
  if (name === 'AbortError') return '';
  if (typeof title === 'string' && title !== '') {
    return typeof detail === 'string' && detail !== '' ? `${title}: ${detail}` : `error: ${title}`;
  }
  return typeof message === 'string' ? message : '';
}
