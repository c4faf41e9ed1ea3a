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
  const repaired = new RepairedBody(body);
  for (let pass = 0; pass < maxPasses && !parsed.success; pass++) {
    let isRepaired = false;
    for (const issue of flattenUnions(parsed.error.issues)) if (repaired.repair(issue)) isRepaired = true;
    if (!isRepaired) break;
    parsed = schema.safeParse(repaired.value);
  }
  return parsed;
}

/** A body whose values are replaced; what was sent is never changed. */
class RepairedBody {
  value: unknown;
  /** Objects and lists of this body alone; each is copied once, so that many repairs take linear time. */
  private readonly copies = new WeakSet<object>();

  constructor(body: unknown) {
    this.value = body;
  }

  /** Replaces the value of an issue; false if the issue is another one. */
  repair({ code, path, ...issue }: Issue): boolean {
    if (code !== 'invalid_type' || path.length === 0) return false;
    const { expected } = issue as { expected?: string };
    const value = valueAt(this.value, path);
    if (expected === 'array' && isEmptyList(value)) this.replaceAt(path, []);
    else if (expected === 'string' && isPlainNumber(value)) this.replaceAt(path, String(value));
    else return false;
    return true;
  }

  private replaceAt(path: readonly PropertyKey[], value: unknown): void {
    let container = this.own(this.value);
    this.value = container;
    for (const key of path.slice(0, -1)) {
      const inner = this.own(container[key]);
      container[key] = inner;
      container = inner;
    }
    container[path.at(-1)!] = value;
  }

  private own(container: unknown): Record<PropertyKey, unknown> {
    if (this.copies.has(container as object)) return container as Record<PropertyKey, unknown>;
    const copy = Array.isArray(container) ? [...container] : { ...(container as object) };
    this.copies.add(copy);
    return copy as never;
  }
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
