// Changed configurations over the same past input: added, lost and moved events and actions; the same
// configuration changes nothing.
import { describe, expect, it } from 'vitest';
import { type ConfigRows, compileConfig } from '../evaluation/compile-config.ts';
import { decideBatch } from '../execution/decide-batch.ts';
import { batchInput, message, rule, scope, trigger, webhookAction } from '../execution/test-fixtures.ts';
import { ReplayComparison, type ReplayResult } from './compare-replays.ts';
import type { ReplayInput } from './replay-run.ts';

const since = Date.parse('2026-01-02T00:00:00.000Z');
const minute = 60_000;
const hour = 60 * minute;
const rows = (part: Partial<ConfigRows> = {}): ConfigRows => ({
  rules: [rule('r')],
  scopes: [scope('one')],
  triggers: [trigger('t')],
  actions: [webhookAction('')],
  space: {},
  ...part,
});
const arrive = (minutes: number, body: unknown = {}): ReplayInput => ({
  id: `m${minutes}`,
  at: since + minutes * minute,
  message: message(`m${minutes}`, body),
});
/** `alarm`: minutes before the beginning at which the scope reached severity 3. */
const run = (before: ConfigRows, after: ConfigRows, inputs: ReplayInput[], alarm?: number) => {
  const until = since + hour;
  const state = new Map(alarm === undefined ? [] : [['one', new Map([['default', 3]])]]);
  const lastEvents = new Map(alarm === undefined ? [] : [['one', since - alarm * minute]]);
  const options = { before: compileConfig(before), after: compileConfig(after), since, until };
  const replay = new ReplayComparison({
    ...options,
    scopeIds: new Set(['one']),
    state,
    contributions: new Map(),
    lastEvents,
  });
  for (const one of inputs) replay.step(one);
  return replay.finish(until);
};
const step = (value: number) => ({
  flow: {
    steps: [
      { operatorId: 'number-compare', params: { source: 'message.content.data.n', comparison: 'ge', value } },
    ],
  },
});
const late = (seconds: number) => ({
  conditionId: 'event-value-after',
  params: { seconds, value: 'latest', comparison: 'ge', number: 1 },
});
const window = (from: number, to: number, atEnd: 'silent' | 'fire') => ({
  muteScheduleId: 'mute',
  scopeId: 'one',
  displayName: 'Mute',
  disabled: false,
  beginAt: new Date(since + from * minute).toISOString(),
  endAt: new Date(since + to * minute).toISOString(),
  rrule: null,
  timeZone: null,
  atEnd,
});

describe('replay', () => {
  const inputs = [arrive(1, { n: 1 }), arrive(2, { n: 2 }), arrive(3, { n: 3 }), arrive(40, { n: 4 })];

  it.each([
    ['a rule', rows()],
    ['a recovery', rows({ scopes: [{ ...scope('one'), recoveryTime: 600 }] })],
    ['late conditions', rows({ triggers: [trigger('t', { conditions: [late(60), late(900)] })] })],
    ['a mute', rows({ mutes: [window(2, 30, 'fire')] })],
  ])('of unchanged settings changes nothing, with %s', (_, same) => {
    const result = run(same, same, inputs);
    expect(result).toMatchObject({ messages: 4, differences: [], actionDifferences: [] });
    expect(result.events).toMatchObject({ added: 0, lost: 0, moved: 0 });
    expect(result.events.same).toBeGreaterThanOrEqual(4);
    for (const { points } of result.curves) {
      for (const point of points) expect(point.after).toBe(point.before);
    }
  });

  it.each<[string, number, number, number]>([
    ['when its time has come', 5, 6, 1],
    ['at once when that was before', 15, 1, 1],
    ['not before', 5, 4, 4],
  ])('what stood wrong as it began recovers %s', (_, alarm, at, severity) => {
    const recovering = rows({ scopes: [{ ...scope('one'), recoveryTime: 600 }] });
    const { differences } = run(rows({ rules: [] }), recovering, [arrive(at)], alarm);
    const raised = differences.find(({ messageId }) => messageId !== null);
    expect(raised).toMatchObject({ kind: 'added', after: { severity } });
    const recovered = differences.filter(({ messageId }) => messageId === null);
    for (const one of recovered) expect(Date.parse(one.at)).toBeGreaterThanOrEqual(since);
    expect(run(rows(), rows(), [arrive(at)], alarm).curves[0]!.points.at(-1)).toMatchObject({ before: 4 });
  });

  it('decides as the pipeline does', () => {
    const settings = rows({ rules: [rule('r', step(2))] });
    const real = decideBatch({
      ...batchInput(settings),
      config: compileConfig(settings),
      messages: inputs.map((one) => one.message!),
    });
    const { events, actions } = run(rows({ rules: [] }), settings, inputs);
    expect(events.added).toBe(real.events.length);
    expect(actions.added).toBe(real.firings.length);
  });

  it('tells events that a changed rule loses and those that therefore move', () => {
    const result = run(rows(), rows({ rules: [rule('r', step(2))] }), inputs);
    expect(result.events).toEqual({ same: 0, added: 0, lost: 1, moved: 3 });
    expect(result.differences[0]).toMatchObject({
      kind: 'lost',
      messageId: 'm1',
      before: { previousSeverity: 0, severity: 1 },
      after: null,
    });
    expect(result.differences[1]).toMatchObject({
      kind: 'moved',
      before: { severity: 2 },
      after: { severity: 1 },
    });
    const last = result.curves[0]!.points.at(-1)!;
    expect([last.before, last.after]).toEqual([4, 3]);
  });

  it('tells an event that a rule raises twice from one that it raises once', () => {
    const param = { scopeId: 'one', severityName: { literal: 'default' }, delta: 1 };
    const twice = rows({ rules: [rule('r', { eventParams: [param, param] })] });
    expect(run(rows(), twice, [arrive(1)]).events).toEqual({ same: 1, added: 1, lost: 0, moved: 0 });
    expect(run(twice, twice, [arrive(1)]).events).toEqual({ same: 2, added: 0, lost: 0, moved: 0 });
  });

  it('tells what another threshold makes of the same events', () => {
    const changed = rows({ scopes: [{ ...scope('one'), thresholds: { warning: 3, incident: 4 } }] });
    const result = run(rows(), changed, inputs);
    expect(result.events).toEqual({ same: 1, added: 0, lost: 0, moved: 3 });
    expect(result.differences.map(({ after }) => after!.status)).toEqual(['normal', 'normal', 'incident']);
  });

  it.each<[string, Partial<ConfigRows>, ReplayResult['actions']]>([
    ['a mute schedule', { mutes: [window(2, 30, 'silent')] }, { same: 2, added: 0, lost: 2, moved: 0 }],
    [
      'one that fires at its end',
      { mutes: [window(2, 30, 'fire')] },
      { same: 2, added: 0, lost: 1, moved: 1 },
    ],
    ['no trigger', { triggers: [] }, { same: 0, added: 0, lost: 4, moved: 0 }],
    [
      'a late condition',
      { triggers: [trigger('t', { conditions: [late(60)] })] },
      { same: 0, added: 0, lost: 0, moved: 4 },
    ],
  ])('tells which actions %s would have changed', (_, change, expected) => {
    const { actions, events } = run(rows(), rows(change), inputs);
    expect(events.same).toBe(4);
    expect(actions).toEqual(expected);
    const without = run(rows(change), rows(), inputs).actions;
    expect(without).toEqual({ ...expected, added: expected.lost, lost: expected.added });
  });

  it('lets scopes recover, and changes of people happen as they did', () => {
    const recovering = rows({ scopes: [{ ...scope('one'), recoveryTime: 600 }] });
    const reset: ReplayInput = {
      id: 'reset',
      at: since + 5 * minute,
      change: { scopeId: 'one', severityName: 'default', change: { to: 0 }, source: 'reset' },
    };
    const [first, second, third, fourth] = inputs;
    const result = run(rows(), recovering, [first!, second!, third!, reset, fourth!]);
    // The reset happens before the recovery is due, so only the last event recovers.
    expect(result.events).toEqual({ same: 5, added: 1, lost: 0, moved: 0 });
    expect(result.differences[0]).toMatchObject({ kind: 'added', messageId: null, after: { severity: 0 } });
  });

  it('lets no scope recover while its problem is reported', () => {
    const scopes = [{ ...scope('one'), recoveryTime: 600 }];
    const set = { scopeId: 'one', severityName: { literal: 'default' }, mode: 'set' as const, value: 3 };
    const recovering = rows({ scopes, rules: [rule('r', { eventParams: [set] })] });
    const reports = [0, 8, 16, 24].map((at) => arrive(at));
    const result = run(recovering, recovering, reports);
    // The first report, and the end ten minutes after the last one.
    expect(result.events).toEqual({ same: 2, added: 0, lost: 0, moved: 0 });
  });

  it('counts all differences and tells the first hundred', () => {
    const many = Array.from({ length: 150 }, (_, index) => arrive(index / 10));
    const result = run(rows({ rules: [] }), rows(), many);
    expect(result.events.added).toBe(150);
    expect(result.differences).toHaveLength(100);
    expect(result.actionDifferences).toHaveLength(100);
  });

  it('draws each stretch of time, and a rise in the stretch in which it came', () => {
    // A curve's interval is half a minute.
    const { points } = run(rows(), rows(), [arrive(1), arrive(30)]).curves[0]!;
    expect(points).toHaveLength(120);
    expect(points.map(({ before }) => before).join('')).toBe(
      `${'0'.repeat(2)}${'1'.repeat(58)}${'2'.repeat(60)}`,
    );
  });

  it.each([
    [9_000, { same: 0, added: 0, lost: 9_000, moved: 1 }],
    [10_001, { same: 0, added: 1, lost: 10_002, moved: 0 }],
  ])('keeps the last 10,000 actions open for the other run: %i', (count, expected) => {
    const named = (name: string) => ({ conditionId: 'severity-name', params: { comparison: 'eq', name } });
    const byName = {
      eventParams: [{ scopeId: 'one', severityName: { path: 'message.content.data.name' }, delta: 1 }],
    };
    const slow = (conditions: object[]) =>
      trigger('slow', { conditions: [named('slow'), ...conditions] as never });
    const before = rows({
      rules: [rule('r', byName)],
      triggers: [slow([]), trigger('quick', { conditions: [named('quick')] })],
    });
    const after = rows({ rules: [rule('r', byName)], triggers: [slow([late(1800)])] });
    const inputs = [arrive(1, { name: 'slow' })];
    for (let index = 0; index < count; index += 1) inputs.push(arrive(2 + index / 1000, { name: 'quick' }));
    expect(run(before, after, inputs).actions).toEqual(expected);
  });
});
