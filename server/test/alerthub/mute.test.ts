// Mute schedules on a test clock: suppressed notifications, notifications at the end, and restarts in
// between.
import { explainDecisions } from '@yagura/core/alerthub/engine/explain/explain-decisions';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const minute = 60_000;
const hour = 60 * minute;

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({ engine, clock });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const iso = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();
  const mute = (scopeId: string, fields: Body = {}) =>
    caller.make<{ muteScheduleId: string }>(`scopes/${scopeId}/mute-schedules`, {
      displayName: 'night',
      beginAt: iso(hour),
      endAt: iso(2 * hour),
      ...fields,
    });
  /** Polls while due timers of waiting triggers fire and their work finishes. */
  const soon = <T>(look: () => Promise<T>) =>
    expect.poll(async () => {
      await caller.advance(0);
      return look();
    });
  const records = (line: { records(): Promise<unknown[]> }, count: number) =>
    soon(async () => (await line.records()).length).toBe(count);

  test('actions run before and after a window, and severities change all the time', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await mute(line.scopeId);
    await line.send(1);
    await caller.advance(hour);
    const held = await line.send(1);
    await caller.advance(hour);
    await line.send(1);
    await records(line, 2);
    expect(await line.scope()).toMatchObject({ severity: 3, status: 'warning' });
    const why = await line.why(held);
    expect(why.events[0]!.triggers[0]).toMatchObject({
      outcome: 'muted',
      actionRecordId: null,
      mutes: [{ displayName: 'night', atEnd: 'silent' }],
    });
    const lines = explainDecisions(why, await loadTranslator('en')).map((one) => one.text);
    expect(lines).toContain(`Trigger "${line.label}" was suppressed by a mute schedule`);
    expect(lines).toContain(
      'Mute schedule "night" suppressed the action; nothing runs when the schedule ends',
    );
    const untouched = (await line.why(held)).deliveries;
    expect(untouched).toEqual([]);
  });

  test('a scope says until when its schedules mute it', async () => {
    const line = await caller.createAlertPath();
    const scopes = '/api/apps/alerthub/scopes';
    const mutedUntil = async () => {
      const { data } = await caller.callApi('GET', `${scopes}/${line.scopeId}`);
      const filter = encodeURIComponent(`scopeId eq "${line.scopeId}"`);
      const listed = (await caller.callApi('GET', `${scopes}?filter=${filter}`)).data;
      const { mutedUntil: shown, mutes } = data as { mutedUntil: string | null; mutes?: unknown };
      expect((listed as { items: object[] }).items).toMatchObject([{ mutedUntil: shown }]);
      expect(mutes).toBe(undefined);
      return shown;
    };
    expect(await mutedUntil()).toBe(null);
    await mute(line.scopeId, { beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    const end = iso(2 * hour);
    await mute(line.scopeId, { displayName: 'longer', beginAt: iso(-hour), endAt: end });
    await mute(line.scopeId, {
      displayName: 'disabled',
      beginAt: iso(0),
      endAt: iso(3 * hour),
      disabled: true,
    });
    expect(await mutedUntil()).toBe(end);
    const lastEnd = iso(4 * hour);
    await mute(line.scopeId, { displayName: 'right after', beginAt: end, endAt: lastEnd });
    expect(await mutedUntil()).toBe(lastEnd);
    await caller.advance(2 * hour);
    expect(await mutedUntil()).toBe(lastEnd);
    await caller.advance(2 * hour);
    expect(await mutedUntil()).toBe(null);
  });

  test('a window repeats by its rule', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    const window = 10 * minute;
    const made = await mute(line.scopeId, {
      beginAt: iso(0),
      endAt: iso(window),
      rrule: 'FREQ=HOURLY;COUNT=2',
    });
    expect(made).toMatchObject({ activeUntil: iso(window), nextBeginAt: iso(hour) });
    await line.send(1);
    await caller.advance(window);
    await line.send(1);
    await caller.advance(hour - window + minute);
    await line.send(1);
    await caller.advance(hour);
    await line.send(1);
    await records(line, 2);
  });

  test.each([
    ['still wrong: fires once, with the last event', [1, 1, 1], 1],
    ['back to normal: stays silent', [1, 1, -1, -1], 0],
    ['lower, but as bad as when it last fired', [1, 1, 1, 1, -1], 1],
  ])('at the end of a window, %s', async (_, deltas, expected) => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await mute(line.scopeId, { beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    let last = '';
    for (const [turn, delta] of deltas.entries()) last = await line.send(delta, { note: `turn ${turn}` });
    expect(await line.records()).toEqual([]);
    await server!.restart();
    await caller.advance(hour);
    await records(line, expected);
    const decision = async () => (await line.why(last)).events[0]!.triggers[0]!;
    await soon(async () => (await decision()).releasedAt).toBe(iso(0));
    expect((await decision()).outcome).toBe(expected ? 'fired' : 'muted');
    if (expected) {
      const { request } = (await line.records())[0]!;
      expect(JSON.parse(request.body)).toMatchObject({
        note: `turn ${deltas.length - 1}`,
        level: `level ${deltas.at(-1)}`,
      });
    }
    await caller.advance(hour);
    await records(line, expected);
  });

  test('a window that passes while the clock is set forward or the machine sleeps ends within 5 s', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await mute(line.scopeId, { beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    for (const delta of [1, 1, 1]) await line.send(delta);
    clock.jump(2 * hour);
    await caller.advance(5000);
    await records(line, 1);
  });

  test('the end of one window under another waits for the other', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await mute(line.scopeId, { displayName: 'first', beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    await mute(line.scopeId, { displayName: 'second', beginAt: iso(30 * minute), endAt: iso(2 * hour) });
    await line.send(1);
    const held = await line.send(1);
    await caller.advance(hour);
    await soon(async () =>
      (await line.why(held)).events[0]!.triggers[0]!.mutes?.map((one) => one.displayName),
    ).toEqual(['first', 'second']);
    expect(await line.records()).toEqual([]);
    await caller.advance(hour);
    await records(line, 1);
  });

  test('a trigger that waits for the end of another window fires when that schedule is removed', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await mute(line.scopeId, { displayName: 'first', beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    const second = { displayName: 'second', beginAt: iso(30 * minute), endAt: iso(90 * hour) };
    const { muteScheduleId } = await mute(line.scopeId, second);
    await line.send(1);
    const held = await line.send(1);
    await caller.advance(hour);
    await soon(async () => (await line.why(held)).events[0]!.triggers[0]!.mutes?.length).toBe(2);
    await caller.callApi('DELETE', `${api}/scopes/${line.scopeId}/mute-schedules/${muteScheduleId}`);
    await records(line, 1);
  });

  test.each<[string, (path: string, body: Body) => Promise<unknown>, number]>([
    ['removed', (path) => caller.callApi('DELETE', path), 1],
    ['disabled', (path, body) => caller.callApi('PUT', path, { ...body, disabled: true }), 1],
    ['made silent', (path, body) => caller.callApi('PUT', path, { ...body, atEnd: 'silent' }), 0],
  ])('a schedule that is %s in its window ends it', async (_, change, expected) => {
    const line = await caller.createAlertPath();
    await line.trigger();
    const body = { displayName: 'work', beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' };
    const { muteScheduleId } = await mute(line.scopeId, body);
    await line.send(1);
    await line.send(1);
    await change(`${api}/scopes/${line.scopeId}/mute-schedules/${muteScheduleId}`, body);
    if (expected === 0) await caller.advance(hour);
    await records(line, expected);
  });

  test('a trigger that is removed or disabled meanwhile does not fire', async () => {
    const line = await caller.createAlertPath();
    const { triggerId } = await line.trigger();
    await mute(line.scopeId, { beginAt: iso(0), endAt: iso(hour), atEnd: 'fire' });
    await line.send(1);
    const held = await line.send(1);
    await caller.callApi('PATCH', `${api}/scopes/${line.scopeId}/triggers/${triggerId}`, { disabled: true });
    await caller.advance(hour);
    await soon(async () => (await line.why(held)).events[0]!.triggers[0]!.notes).toEqual([
      { word: 'why.trigger.disabledSince' },
    ]);
    expect(await line.records()).toEqual([]);
  });

  test.each<[Body, string]>([
    [{ endAt: '2025-01-01T00:00:00Z' }, 'endAt'],
    [{ endAt: '2999-01-01T00:00:00Z' }, 'endAt'],
    [{ rrule: 'FREQ=SECONDLY' }, 'rrule'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ atEnd: 'later' }, 'atEnd'],
  ])('%j is refused at its field', async (change, name) => {
    const { scopeId } = await caller.make('scopes', {
      displayName: `s ${JSON.stringify(change).slice(0, 25)}`,
    });
    const body = {
      displayName: 'x',
      beginAt: '2026-01-01T00:00:00Z',
      endAt: '2026-01-01T01:00:00Z',
      ...change,
    };
    const reply = await caller.callApi('POST', `${api}/scopes/${scopeId}/mute-schedules`, body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });
});
