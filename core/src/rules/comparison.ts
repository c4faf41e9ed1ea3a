// Comparisons of numbers, and of a field with another one.
import type { Refusal } from './refusal.ts';

/** Ends of a range; the exclusive ones as JSON Schema names them. */
export interface NumberLimits {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** Refuses a number outside the limits, and NaN always. Both inclusive ends together read as one range. */
export function checkNumber(value: number, limits: NumberLimits): Refusal | undefined {
  const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below } = limits;
  if (Number.isNaN(value)) return { word: 'rule.number' };
  const low = min !== undefined && value < min;
  const high = max !== undefined && value > max;
  if ((low || high) && min !== undefined && max !== undefined) return { word: 'rule.inRange', min, max };
  if (low) return { word: 'rule.greaterOrEqual', min };
  if (high) return { word: 'rule.lessOrEqual', max };
  if (above !== undefined && value <= above) return { word: 'rule.greaterThan', min: above };
  if (below !== undefined && value >= below) return { word: 'rule.lessThan', max: below };
  return undefined;
}

/** Refuses a value that differs from another field's; `field` is that field's label. */
export function checkEqual(value: unknown, other: unknown, field: string): Refusal | undefined {
  return Object.is(value, other) ? undefined : { word: 'rule.equal', field };
}

/** Refuses a value that is none of the candidates; an empty one asks to select. */
export function checkOneOf(value: unknown, options: readonly unknown[]): Refusal | undefined {
  if (options.includes(value)) return undefined;
  if (value === undefined || value === null || value === '') return { word: 'rule.select' };
  return { word: 'rule.oneOf', options: options.map(String) };
}
