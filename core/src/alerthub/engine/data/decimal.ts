// Decimal numbers of any length, compared without rounding.
import { ExactNumber, maxNumberLength } from '../../../http/exact-json.ts';
import { firstSelected } from './selected-list.ts';

/** The value `0.digits × 10^exponent` with its sign; `digits` has no zeros at either end, and is empty for 0. */
export interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: bigint;
}

const form = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?$/;

/** The value of a number or of decimal text; undefined for any other value. */
export function toDecimal(selected: unknown): Decimal | undefined {
  const value = firstSelected(selected);
  if (typeof value === 'number') return parseDecimal(String(value));
  if (value instanceof ExactNumber) return parseDecimal(value.digits);
  return typeof value === 'string' && value.length <= maxNumberLength
    ? parseDecimal(value.trim())
    : undefined;
}

function parseDecimal(text: string): Decimal | undefined {
  const matched = form.exec(text);
  if (!matched) return undefined;
  const [, sign, whole = '', decimals = '', onlyDecimals = '', exponent = '0'] = matched;
  const all = whole + decimals + onlyDecimals;
  const start = all.search(/[1-9]/);
  if (start < 0) return { isNegative: false, digits: '', exponent: 0n };
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  return {
    isNegative: sign === '-',
    digits: all.slice(start, end),
    exponent: BigInt(exponent.replace('+', '')) + BigInt(whole.length - start),
  };
}

/** Negative, 0 or positive, like the difference of the two. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const signs = signOf(left) - signOf(right);
  if (signs !== 0) return signs;
  return left.isNegative ? compareMagnitudes(right, left) : compareMagnitudes(left, right);
}

function signOf({ isNegative, digits }: Decimal): number {
  if (digits === '') return 0;
  return isNegative ? -1 : 1;
}

function compareMagnitudes(left: Decimal, right: Decimal): number {
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -1 : 1;
  // Both begin at the same place, and a missing digit is a 0.
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -1 : 1;
}
