// Normalizes times to the stored form.

/**
 * Converts to UTC with milliseconds, the format in which times are stored and returned; undefined for invalid
 * times and years outside 1 to 9999.
 */
export function toUtc(text: string): string | undefined {
  const at = Date.parse(text);
  const written = Number.isNaN(at) ? '' : new Date(at).toISOString();
  return /^\d{4}-/.test(written) && !written.startsWith('0000') ? written : undefined;
}
