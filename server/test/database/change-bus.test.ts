// Changes that other replicas are told of, and what becomes of those that cannot be sent.
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type Change, ChangeBus } from '../../src/db/change-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { checkNotification, createListeners } from '../../src/db/notification.ts';
import type { StoreLogLine } from '../../src/db/store-log.ts';
import { StoreUnavailable } from '../../src/db/store-unavailable.ts';

const changeOf = (id: string): Change => ({
  ...{ spaceId: '01900000-0000-7000-8000-000000000001', resource: 'severity', op: 'update' as const },
  ...{ scope: '01900000-0000-7000-8000-000000000002', at: '2026-01-01T00:00:00.000Z', id },
});

/** Replicas that share a database, which can be away; `failNext` makes the next notification fail in another way. */
function createReplicas() {
  const clock = new ManualClock();
  const listeners = createListeners((error) => {
    throw error;
  });
  const state = { isAway: false, failNext: false, sent: 0 };
  const lines: StoreLogLine[] = [];
  const database = {
    kind: 'postgresql',
    async notify(channel: string, payload: string) {
      checkNotification(channel, payload);
      if (state.isAway) throw new StoreUnavailable('away');
      if (state.failNext) {
        state.failNext = false;
        throw new Error('refused');
      }
      state.sent++;
      listeners.emit(channel, payload);
    },
    async listen(channel: string, handler: (payload: string) => void, missed: () => void) {
      listeners.add(channel, { handler, missed });
      return async () => undefined;
    },
  } as unknown as Database;
  const open = async (instance: string) => {
    const bus = new ChangeBus({ database, clock, log: (line) => void lines.push(line), instance });
    const heard: Change[] = [];
    let reloads = 0;
    bus.listen((changes) => heard.push(...changes));
    await bus.start(() => reloads++);
    return { bus, ids: () => heard.map(({ id }) => id), reloads: () => reloads };
  };
  return { state, clock, lines, open };
}

/** Lets everything run that does not wait for the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('changes reach the listeners of every replica once, and those of the own process at once', async () => {
  const { open } = createReplicas();
  const here = await open('here');
  const there = await open('there');
  here.bus.publish([changeOf('a'), changeOf('b')]);
  expect(here.ids()).toEqual(['a', 'b']);
  await settle();
  expect(there.ids()).toEqual(['a', 'b']);
  expect(here.ids()).toEqual(['a', 'b']);
});

test('no notification is larger than the database takes, however long the names are', async () => {
  const { open, state } = createReplicas();
  const here = await open('here');
  const there = await open('there');
  await settle();
  const before = state.sent;
  const ids = Array.from({ length: 30 }, (_, index) => `${index}${'深刻度'.repeat(84)}`);
  here.bus.publish(ids.map(changeOf));
  await settle();
  expect(there.ids()).toEqual(ids);
  expect(state.sent - before).toBe(4);
});

test('while the database is away, changes wait for it; too many are replaced by a reload', async () => {
  const { open, state, clock } = createReplicas();
  const here = await open('here');
  const there = await open('there');
  await settle();
  expect(there.reloads()).toBe(0);
  state.isAway = true;
  here.bus.publish([changeOf('a')]);
  await settle();
  here.bus.publish([changeOf('b')]);
  clock.advance(1_000);
  await settle();
  expect(there.ids()).toEqual([]);
  state.isAway = false;
  clock.advance(1_000);
  await settle();
  expect(there.ids()).toEqual(['a', 'b']);

  state.isAway = true;
  here.bus.publish([changeOf('c')]);
  await settle();
  here.bus.publish(Array.from({ length: 5_001 }, (_, index) => changeOf(`${index}`)));
  state.isAway = false;
  clock.advance(1_000);
  await settle();
  expect(there.ids()).toEqual(['a', 'b', 'c']);
  expect([here.reloads(), there.reloads()]).toEqual([1, 1]);
});

test('a process that starts has the others reload, since one that was killed may not have sent its changes', async () => {
  const { open } = createReplicas();
  const here = await open('here');
  await settle();
  expect(here.reloads()).toBe(0);
  const there = await open('there');
  await settle();
  expect([here.reloads(), there.reloads()]).toEqual([1, 0]);
});

test('a notification that is refused is logged, and the next one is sent', async () => {
  const { open, state, lines } = createReplicas();
  const here = await open('here');
  const there = await open('there');
  await settle();
  state.failNext = true;
  here.bus.publish([changeOf('a')]);
  await settle();
  here.bus.publish([changeOf('b')]);
  await settle();
  expect(there.ids()).toEqual(['b']);
  expect(lines).toMatchObject([
    { level: 'error', message: 'other servers were not told of changes: refused' },
  ]);
});

test('closing sends what is left if the database is there, and does not wait for it otherwise', async () => {
  const { open, state } = createReplicas();
  const here = await open('here');
  const there = await open('there');
  await settle();
  here.bus.publish([changeOf('a')]);
  await here.bus.close();
  expect(there.ids()).toEqual(['a']);
  state.isAway = true;
  there.bus.publish([changeOf('b')]);
  await settle();
  await there.bus.close();
});
