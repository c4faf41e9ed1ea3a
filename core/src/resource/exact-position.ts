// Positions in a drawing, whose numbers keep every digit.
import { z } from 'zod';
import { ExactNumber } from '../http/exact-json.ts';
import * as field from './field.ts';

/** JSON fields whose numbers keep every digit. */
export const exactFields = ['posX', 'posY'] as const;

/** A coordinate: a JSON number in the API, stored as its digits. A double can be inexact, but not infinite. */
export function exactPosition() {
  const digits = z
    .union([
      z.number(),
      z
        .string()
        .max(64)
        .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/),
      z.instanceof(ExactNumber).refine((number) => number.digits.length <= 64),
    ])
    .transform(String);
  return field.withKind(
    'number',
    digits.refine((text) => Number.isFinite(Number(text)), { params: { word: 'rule.number' } }),
  );
}

/**
 * A copy in which the digits of positions are numbers again, as JSON and YAML files have them; digits that a
 * number cannot hold stay as they are.
 */
export function withPlainPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainPositions);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isPosition = (exactFields as readonly string[]).includes(name) && typeof member === 'string';
      if (!isPosition) return [name, withPlainPositions(member)];
      return [name, String(Number(member)) === member ? Number(member) : member];
    }),
  );
}
