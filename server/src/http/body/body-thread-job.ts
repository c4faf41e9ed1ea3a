// Parses a large request body in a thread.
import { resources } from '@yagura/core/all';
import { Problem, type ProblemBody } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language } from '@yagura/core/i18n/translator';
import { standaloneCalls } from '@yagura/core/standalone-calls';
import type { z } from 'zod';
import { translateProblem } from '../../common/translatable-problem.ts';
import type { BodyRule, SchemaKey } from './body-rule.ts';
import { checkBody, readJson } from './read-json.ts';

interface ReadBodyInput {
  bytes: Uint8Array;
  rule: Omit<BodyRule, 'schema'>;
  schema: { key: SchemaKey; isPartial: boolean } | undefined;
  language: Language;
}

/** Parses the body of a request, and validates it when a schema is given. */
export async function readBodyInThread({
  bytes,
  rule,
  schema,
  language,
}: ReadBodyInput): Promise<{ body?: unknown; problem?: ProblemBody }> {
  const t = await loadTranslator(language);
  try {
    const body = readJson(bytes, rule);
    if (!schema) return { body };
    return { body: checkBody(schemaOf(schema.key), body, schema.isPartial, t) };
  } catch (error) {
    if (error instanceof Problem) return { problem: translateProblem(error, t).toJSON() };
    throw error;
  }
}

function schemaOf(key: SchemaKey): z.ZodType {
  const found = key.resource === undefined ? standaloneCalls[key.fixed] : callOf(key.resource, key.call);
  const schema = 'body' in found ? found.body : undefined;
  if (!schema) throw new Error(`no schema is at ${JSON.stringify(key)}`);
  return schema;
}

function callOf(name: string, call: string | undefined): { body?: z.ZodType | undefined } {
  const resource = resources.find((one) => one.name === name)!;
  return call === undefined ? { body: resource.input } : resource.calls[call]!;
}
