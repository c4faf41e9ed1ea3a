import { Problem } from '@yagura/core/http/problem';
import { expect, test } from 'vitest';
import { ServerOutage } from './server-outage.ts';

const minute = 60_000;
const lost = (kind: 'unreachable' | 'unavailable' = 'unreachable') => Promise.reject(new Problem(kind));

test('a server that is away is tolerated for five minutes, counted from its last reply', async () => {
  let now = 0;
  const outage = new ServerOutage(() => now);
  const told: string[] = [];
  const tell = ({ kind }: Problem) => void told.push(kind);
  now = 4 * minute;
  expect(await outage.unlessAway(lost(), tell)).toBeNull();
  expect(await outage.unlessAway(Promise.resolve('reply'))).toBe('reply');
  now = 9 * minute - 1;
  expect(await outage.unlessAway(lost('unavailable'), tell)).toBeNull();
  expect(told).toEqual(['unreachable', 'unavailable']);
  now = 9 * minute;
  await expect(outage.unlessAway(lost(), tell)).rejects.toMatchObject({ kind: 'unreachable' });
});

test('other errors are errors at once', async () => {
  const outage = new ServerOutage(() => 0);
  await expect(outage.unlessAway(Promise.reject(new Problem('not-found')))).rejects.toMatchObject({
    kind: 'not-found',
  });
});
