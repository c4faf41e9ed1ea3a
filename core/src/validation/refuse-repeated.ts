import type { z } from 'zod';

/** A check of an object: of two items of a list with the same value in a field, the second is refused by that field. */
export function refuseRepeated<List extends string, Field extends string>(list: List, field: Field) {
  return ({ value, issues }: z.core.ParsePayload<Record<List, readonly Record<Field, unknown>[]>>): void => {
    const seen = new Set<unknown>();
    for (const [index, item] of value[list].entries()) {
      if (seen.has(item[field]))
        issues.push({
          code: 'custom',
          input: item[field],
          path: [list, index, field],
          params: { word: 'rule.keyExists' },
        });
      seen.add(item[field]);
    }
  };
}
