// The one line that tells a problem to a person (spec section 8).

/** `title: detail`, `error: title` without a detail, an empty text for a cancelled request, else the message of an error. */
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
