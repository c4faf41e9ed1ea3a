// Places on a drawing whose numbers keep every digit from wire to wire (spec section 3).
import { z } from 'zod';
import { ExactNumber } from '../http/exact-json.ts';
import * as field from './field.ts';

/** Fields of the wire whose numbers keep every digit. */
export const exactFields = ['posX', 'posY'] as const;

/** A coordinate: a JSON number on the wire, its digits as text inside. */
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
