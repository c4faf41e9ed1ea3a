// Large numbers for people: base 1000 with the prefixes k M G T P E Z Y (spec section 9).
import { scaled } from './bytes.ts';

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];

/** `1234` becomes `1.23k`; a unit may follow (`1.23kbps`). What is not a finite number becomes an empty text. */
export function formatCount(value: number, unit = ''): string {
  const text = scaled(value, 1000, prefixes, '');
  return text === '' ? '' : text + unit;
}
