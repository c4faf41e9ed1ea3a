// The one form in which times are kept.

/** In UTC with milliseconds, as every time is kept and told; undefined for what is no time of the years 1 to 9999. */
export function toUtc(text: string): string | undefined {
  const at = Date.parse(text);
  const written = Number.isNaN(at) ? '' : new Date(at).toISOString();
  return /^\d{4}-/.test(written) && !written.startsWith('0000') ? written : undefined;
}
