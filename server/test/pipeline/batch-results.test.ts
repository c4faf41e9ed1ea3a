// What becomes of the results of a batch: the rows to store, and what is announced once they are stored.
import type { BatchResult, Firing } from '@yagura/core/alerthub/engine/execution/batch';
import { expect, test } from 'vitest';
import { announceBatch } from '../../src/alerthub/pipeline/announce-batch.ts';
import type { EvaluatedBatch } from '../../src/alerthub/pipeline/evaluate-batch.ts';
import { toDecidedBatch } from '../../src/alerthub/pipeline/to-decided-batch.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { createSealing, openRequest } from '../../src/resource/sealing/sealed-fields.ts';

const now = '2026-01-01T00:00:00.000Z';
const spaceId = 'space';
const sealing = createSealing(deriveSecret(Buffer.alloc(32, 1)));

const firing = (id: string): Firing => ({
  actionRecordId: id,
  actionId: `action of ${id}`,
  kind: 'webhook',
  ...{ scopeId: null, triggerId: null, eventId: null, messageId: null, runbookRecordId: null },
  deliveryId: `delivery of ${id}`,
  request: { url: 'https://example.com/', headers: { authorization: `secret of ${id}` } },
  missing: [],
  problem: null,
});

function createBatch(
  result: Partial<Record<keyof BatchResult, unknown[]>>,
  rest: Partial<Record<keyof EvaluatedBatch, unknown>> = {},
): EvaluatedBatch {
  const none = {
    createdScopes: [],
    events: [],
    updatedEvents: [],
    scopes: [],
    reportedAgain: [],
    runbookStarts: [],
    firings: [],
  };
  return {
    ...{ spaceId, now, config: { scopes: new Map() }, progress: [] },
    taken: { seqs: [], messages: [], decisions: [] },
    result: { ...none, ...result },
    ...rest,
  } as unknown as EvaluatedBatch;
}

function announce(batch: EvaluatedBatch, jobs: { id: string; actionRecordId: string }[]) {
  const published: (readonly Change[])[] = [];
  const enqueued: unknown[] = [];
  const changes = new ChangeBus({
    database: { kind: 'embedded' } as Database,
    ...{ clock: new ManualClock(), log: () => {}, instance: 'here' },
  });
  changes.listen((list) => void published.push(list));
  const deliveries = { enqueue: (...given: unknown[]) => void enqueued.push(given) };
  announceBatch({ deliveries, changes } as unknown as Parameters<typeof announceBatch>[0], batch, jobs);
  return { published, enqueued };
}

test('everything that a batch has stored is announced, runtime state as such', () => {
  const batch = createBatch(
    {
      createdScopes: [{ scope: { source: { scopeId: 'new scope' } } }],
      events: [{ eventId: 'event', scopeId: 'scope' }],
      updatedEvents: [{ eventId: 'earlier event' }],
      scopes: [{ scopeId: 'scope' }],
      runbookStarts: [{ runbookRecordId: 'record' }],
      firings: [firing('sent')],
    },
    {
      taken: { seqs: [], messages: [], decisions: [{ messageId: 'message' }] },
      progress: [{ runbookRecordId: 'earlier record' }],
    },
  );
  const about = { spaceId, at: now };
  expect(announce(batch, []).published).toEqual([
    [
      { ...about, resource: 'message', id: 'message', op: 'update' },
      { ...about, resource: 'scope', id: 'new scope', op: 'create' },
      { ...about, resource: 'event', id: 'event', op: 'create', scope: 'scope' },
      { ...about, resource: 'event', id: 'earlier event', op: 'update' },
      { ...about, resource: 'scope', id: 'scope', op: 'update', state: true },
      { ...about, resource: 'runbook-record', id: 'record', op: 'create' },
      { ...about, resource: 'runbook-record', id: 'earlier record', op: 'update', state: true },
      { ...about, resource: 'action-record', id: 'sent', op: 'create' },
    ],
  ]);
});

test.each([
  ['all of them', ['first', 'second'], false],
  ['some of them, with word of the others', ['second'], true],
  ['none of them, with word of the others', [], true],
])('of the deliveries of a batch those leased here are sent: %s', (_which, leased, areOthersQueued) => {
  const batch = createBatch({ firings: [firing('first'), firing('second')] });
  const jobs = leased.map((actionRecordId) => ({ id: `job of ${actionRecordId}`, actionRecordId }));
  const sent = leased.map((id) => ({
    ...{ jobId: `job of ${id}`, attempt: 1, spaceId, createdAt: now },
    ...firing(id),
  }));
  expect(announce(batch, jobs).enqueued).toEqual([[sent, areOthersQueued]]);
});

const storageDeps = {
  ...{ sealing, nextId: () => 'id' },
  deliveries: { lease: () => ({ count: 3, by: 'one', until: now }) },
};

test.each([
  ['recovers its recovery time after the event', 300, 1, '2026-01-01T00:05:00.000Z'],
  ['recovers at once with a recovery time of 0', 0, 1, now],
  ['has nothing to recover from at severity 0', 300, 0, null],
  ['does not recover without a recovery time', null, 1, null],
])('a changed scope %s', (_what, recoveryTime, severity, expected) => {
  const config = { scopes: new Map([['scope', { source: { recoveryTime } }]]) };
  const batch = createBatch({ scopes: [{ scopeId: 'scope', severity }] }, { config });
  expect([...toDecidedBatch(storageDeps, batch).recoveryAt]).toEqual([['scope', expected]]);
});

test('an unchanged scope whose problem is reported again recovers its recovery time later', () => {
  const config = { scopes: new Map([['scope', { source: { recoveryTime: 60 } }]]) };
  const batch = createBatch({ reportedAgain: ['scope'] }, { config });
  expect([...toDecidedBatch(storageDeps, batch).recoveryAt]).toEqual([['scope', '2026-01-01T00:01:00.000Z']]);
});

test('a scope that is gone from the settings does not recover', () => {
  const batch = createBatch({ scopes: [{ scopeId: 'gone', severity: 1 }] });
  expect([...toDecidedBatch(storageDeps, batch).recoveryAt]).toEqual([['gone', null]]);
});

test('credentials of requests are stored sealed, and the batch keeps them for sending', () => {
  const batch = createBatch({ firings: [firing('one')] });
  const { result, lease } = toDecidedBatch(storageDeps, batch);
  expect(JSON.stringify(result.firings)).not.toContain('secret of one');
  expect(result.firings).toMatchObject([{ actionRecordId: 'one' }]);
  expect(openRequest(sealing, spaceId, result.firings[0]!.request)).toEqual(firing('one').request);
  expect(batch.result.firings[0]!.request).toEqual(firing('one').request);
  expect(lease()).toEqual({ count: 3, by: 'one', until: now });
});
