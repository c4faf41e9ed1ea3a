// What a JSON body says, within the bounds of its call: read and, where its schema is known, checked in one go.
import { JsonTooLargeError, parseJson } from '@yagura/core/http/exact-json';
import { Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import { z } from 'zod';
import { parseInput } from '../../resource/check-input.ts';
import { maxDepth } from '../../resource/nesting-depth.ts';
import type { BodyRule } from './body-rule.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Throws a 400 for what is no JSON, a 413 for more than the call takes. */
export function readJson(bytes: Uint8Array, { exact, maxValues }: BodyRule): unknown {
  try {
    return parseJson(decoder.decode(bytes), { exact, maxDepth: maxDepth, maxValues });
  } catch (error) {
    const kind =
      error instanceof JsonTooLargeError && /values$/.test(error.message) ? 'too-large' : 'invalid';
    const title = kind === 'invalid' ? { title: 'Invalid JSON' } : {};
    throw new Problem(kind, { ...title, detail: (error as Error).message.slice(0, 200) });
  }
}

/** Checks a body by the schema of its call, or only the fields that it holds. Throws a 400 that names the fields. */
export function checkBody(schema: z.ZodType, body: unknown, isPartial: boolean, t: Translate): unknown {
  if (!isPartial || !(schema instanceof z.ZodObject)) return parseInput(schema, body, { t });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = Object.entries(schema.shape).filter(([name]) => Object.hasOwn(body, name));
  const found = parseInput(z.object(Object.fromEntries(given)), body, { t }) as object;
  return { ...body, ...found };
}
