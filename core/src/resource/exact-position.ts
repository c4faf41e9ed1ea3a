// Positions in a drawing, whose numbers keep every digit.
import { z } from 'zod';
import { ExactNumber } from '../http/exact-json.ts';
import * as field from './field.ts';

/** JSON fields whose numbers keep every digit. */
export const exactFields = ['posX', 'posY'] as const;

/** A coordinate: a JSON number in the API, stored as its digits. */
export function exactPosition() {
  return field.withKind(
    'number',
    z
      .union([
        z.number(),
        z
          .string()
          .max(64)
          .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/),
        z.instanceof(ExactNumber).refine((number) => number.digits.length <= 64),
      ])
      .transform(String),
  );
}
