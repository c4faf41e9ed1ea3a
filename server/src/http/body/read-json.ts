// Parses JSON bodies within the limits of their call and validates them when the schema is known.
import { JsonError, parseJson } from '@yagura/core/http/exact-json';
import type { Translate } from '@yagura/core/i18n/translator';
import { z } from 'zod';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { parseInput } from '../input/check-input.ts';
import { maxDepth } from '../input/nesting-depth.ts';
import type { BodyRule } from './body-rule.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Throws a 400 for invalid JSON, a 413 when the call's limits are exceeded. */
export function readJson(bytes: Uint8Array, { exact, maxValues }: BodyRule): unknown {
  try {
    return parseJson(decoder.decode(bytes), { exact, maxDepth: maxDepth, maxValues });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.fault.word === 'why.json.values') throw new TranslatableProblem('too-large', error.fault);
    throw new TranslatableProblem('invalid', error.fault, { title: 'Invalid JSON' });
  }
}

/**
 * Validates a body against the schema of its call, or only the fields that are present. Throws a 400 naming
 * the invalid fields.
 */
export function checkBody(schema: z.ZodType, body: unknown, isPartial: boolean, t: Translate): unknown {
  if (!isPartial || !(schema instanceof z.ZodObject)) return parseInput(schema, body, { t });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = Object.entries(schema.shape).filter(([name]) => Object.hasOwn(body, name));
  const found = parseInput(z.object(Object.fromEntries(given)), body, { t }) as object;
  return { ...body, ...found };
}
