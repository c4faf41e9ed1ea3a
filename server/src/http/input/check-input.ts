// Validates input against a schema; errors name fields by dotted path.
import { Problem } from '@yagura/core/http/problem';
import type { Translate } from '@yagura/core/i18n/translator';
import { invalidParams } from '@yagura/core/validation/issue-messages';
import type { z } from 'zod';
import { findUnstorableText } from './storable-text.ts';
import { readTolerantly } from './tolerant-input.ts';

/** Maximum number of fields named in one error; further ones are reported once these are fixed. */
const maxNamed = 100;

/** Bodies already validated by a thread, with the schema used. */
const checked = new WeakMap<object, unknown>();

export function markChecked(body: unknown, schema: unknown): void {
  if (typeof body === 'object' && body !== null) checked.set(body, schema);
}

/** Returns the parsed body. Throws a 400 naming the invalid fields. */
export function parseInput(schema: z.ZodType, body: unknown, { t }: { t: Translate }): unknown {
  if (typeof body === 'object' && body !== null && checked.get(body) === schema) return body;
  const parsed = readTolerantly(schema, body);
  if (parsed.success) {
    const refused = findUnstorableText(parsed.data);
    if (refused.length === 0) return parsed.data;
    const reason = t('rule.storable');
    throw new Problem('invalid', {
      invalidParams: refused.slice(0, maxNamed).map((name) => ({ name, reason })),
    });
  }
  throw new Problem('invalid', { invalidParams: invalidParams(parsed.error, t, body).slice(0, maxNamed) });
}
