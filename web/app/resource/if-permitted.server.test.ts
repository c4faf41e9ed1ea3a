import { Problem } from '@yagura/core/http/problem';
import { expect, test } from 'vitest';
import { ifPermitted } from './if-permitted.server.ts';

test('returns the result', async () => {
  expect(await ifPermitted(Promise.resolve([1]), [])).toEqual([1]);
});

test.each(['forbidden', 'not-found'] as const)('returns the alternative for %s', async (kind) => {
  expect(await ifPermitted(Promise.reject(new Problem(kind)), 'none')).toBe('none');
});

test.each([new Problem('unavailable'), new Problem('sign-in-required'), new TypeError('fetch failed')])(
  'throws anything else: %s',
  async (error) => {
    await expect(ifPermitted(Promise.reject(error), [])).rejects.toBe(error);
  },
);
