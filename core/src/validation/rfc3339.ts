// RFC 3339 date-time validation.
import { isDate } from './date.ts';

const shape =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * A date-time with seconds and an offset (RFC 3339, 5.6). Leap seconds are rejected, because JavaScript dates
 * cannot represent them.
 */
export function isRfc3339(text: string): boolean {
  const found = text.length > 40 ? null : shape.exec(text);
  return found !== null && isDate(found[1]!);
}
