// The snapshot that one is compared with is the one before it, however old it is.
import type { ListQuery } from '@yagura/core/http/page';
import { expect, test } from 'vitest';
import { baseSnapshots } from './base-snapshot.server.ts';

/** Snapshots of a network, the oldest first. */
const made = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    snapshotId: `s${at}`,
    createdAt: new Date(at * 1000).toISOString(),
  }));

/** What the page of one of them offers; `asked` are the calls. */
async function basesOf(snapshotId: string, all: ReturnType<typeof made>) {
  const asked: ListQuery[] = [];
  const found = await baseSnapshots(snapshotId, {
    async list(query) {
      asked.push(query);
      const [, before] = /createdAt lt "(.*)"/.exec(query.filter!) ?? [];
      const listed = all.filter(({ createdAt }) => before === undefined || createdAt < before);
      return listed.toReversed().slice(0, query.limit);
    },
    show: async () => all.find((one) => one.snapshotId === snapshotId)!,
  });
  return { base: found.base, offered: found.snapshots.map((one) => one.snapshotId), asked };
}

test('of a few, one call finds all', async () => {
  expect(await basesOf('s1', made(3))).toEqual({
    base: 's0',
    offered: ['s2', 's0'],
    asked: [{ filter: 'status eq "succeeded"', sort: '-createdAt', limit: 200 }],
  });
  expect(await basesOf('s0', made(3))).toMatchObject({ base: '', offered: ['s2', 's1'] });
  expect((await basesOf('s0', made(1))).offered).toEqual([]);
});

test.each([
  ['the last of those that are offered', 's50', 's49'],
  ['one that is older than those', 's20', 's19'],
  ['the second one', 's1', 's0'],
])('%s is compared with the one before it, which is offered, too', async (_name, snapshotId, base) => {
  const found = await basesOf(snapshotId, made(250));
  expect(found.base).toBe(base);
  expect(found.offered).toContain(base);
  expect(found.offered).not.toContain(snapshotId);
});

test('the first one of many has none before it', async () => {
  expect((await basesOf('s0', made(250))).base).toBe('');
});
