// Check that exactly one of an id and an inline value is given.
import type { z } from 'zod';

/** Errors are reported at the id field. */
export const exactlyOne =
  (id: string, inline: string) => (payload: z.core.ParsePayload<Record<string, unknown>>) => {
    const given = [payload.value[id], payload.value[inline]].filter((value) => value !== undefined).length;
    if (given === 1) return;
    payload.issues.push({
      code: 'custom',
      input: payload.value,
      path: [id],
      params: given === 0 ? { word: 'rule.required' } : { word: 'pigeon.one-way', id, inline },
    });
  };
