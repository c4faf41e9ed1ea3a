// Reads what clients of the API send in place of an empty list or a text. Exactly these are accepted: `{}` and
// null for a list that has no value of its own for them (some clients write an empty list so), and a whole
// number, or a decimal without exponent, for a text (some clients write a name such as 2024 so).
import { flattenUnions, type Issue } from '@yagura/core/validation/issue-messages';
import type { z } from 'zod';

/** Passes over one body; each can reach values that an earlier error hid. */
const maxPasses = 5;

/** Like `safeParse`; a value that the schema accepts as it is stays as it is. */
export function readTolerantly(schema: z.ZodType, body: unknown): z.ZodSafeParseResult<unknown> {
  let parsed = schema.safeParse(body);
  let repaired = body;
  for (let pass = 0; pass < maxPasses && !parsed.success; pass++) {
    const before = repaired;
    for (const issue of flattenUnions(parsed.error.issues)) repaired = repair(repaired, issue);
    if (repaired === before) break;
    parsed = schema.safeParse(repaired);
  }
  return parsed;
}

/** The body with the value of one issue replaced; the same body when the issue is another one. */
function repair(body: unknown, issue: Issue): unknown {
  if (issue.code !== 'invalid_type' || issue.path.length === 0) return body;
  const value = valueAt(body, issue.path);
  if (issue.expected === 'array' && isEmptyList(value)) return replaceAt(body, issue.path, []);
  if (issue.expected === 'string' && isPlainNumber(value)) return replaceAt(body, issue.path, String(value));
  return body;
}

const isEmptyList = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0);

const isPlainNumber = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER && !/e/.test(String(value));

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Copies only the objects and lists along the path; what was sent is never changed. */
function replaceAt(body: unknown, [key, ...rest]: readonly PropertyKey[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = (body as Record<PropertyKey, unknown>)[key];
  const copy: Record<PropertyKey, unknown> = (
    Array.isArray(body) ? [...body] : { ...(body as object) }
  ) as never;
  copy[key] = replaceAt(inner, rest, value);
  return copy;
}
