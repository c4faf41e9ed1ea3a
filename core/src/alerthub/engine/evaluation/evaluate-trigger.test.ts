import { describe, expect, it } from 'vitest';
import { FlowData } from '../data/flow-data.ts';
import { FlowError } from '../errors/flow-error.ts';
import type { History, PastEvent } from '../state/event-history.ts';
import {
  checkTrigger,
  compileTrigger,
  evaluateTrigger,
  historyNeeds,
  runTriggerFlow,
  type TriggerSource,
} from './evaluate-trigger.ts';
import { conditions, type TriggerEvent } from './trigger-conditions.ts';

const now = Date.parse('2026-01-02T03:04:05.000Z');
const trigger = (part: Partial<TriggerSource>): TriggerSource => ({
  triggerId: 't',
  scopeId: 'scope',
  displayName: 'Trigger',
  remarks: '',
  disabled: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  conditions: [],
  relatedMessageFilters: [],
  flow: { steps: [] },
  target: { kind: 'action', id: 'a' },
  ...part,
});
const event = (part: Partial<TriggerEvent> = {}): TriggerEvent => ({
  scopeId: 'scope',
  severityName: 'default',
  delta: 1,
  previousSeverity: 0,
  severity: 1,
  statusBefore: 'normal',
  status: 'warning',
  ...part,
});
const history = (events: Partial<PastEvent>[] = [], actions: number[] = []): History => ({
  eventsOf: () =>
    events.map((past) => ({ at: now, delta: 1, before: 0, latest: 1, severityName: 'default', ...past })),
  actionsOf: () => actions.map((at) => ({ at })),
});
const ago = (seconds: number): number => now - seconds * 1000;

describe('conditions', () => {
  const recent = {
    seconds: 60,
    value: 'delta',
    comparison: 'eq',
    number: 1,
    countComparison: 'ge',
    count: 2,
  };
  it.each<[string, Record<string, unknown>, Partial<TriggerEvent>, boolean, string, History?]>([
    ['severity-changed', { direction: 'up' }, {}, true, '0 → 1'],
    ['severity-changed', { direction: 'down' }, {}, false, '0 → 1'],
    [
      'severity-changed',
      { direction: 'down' },
      { previousSeverity: 3, severity: 2, delta: -1 },
      true,
      '3 → 2',
    ],
    [
      'severity-changed',
      { direction: 'down' },
      { previousSeverity: 0, severity: 0, delta: -1 },
      false,
      '0 → 0',
    ],
    ['event-value', { value: 'delta', comparison: 'ge', number: 1 }, {}, true, '1'],
    ['event-value', { value: 'before', comparison: 'eq', number: 0 }, {}, true, '0'],
    ['event-value', { value: 'latest', comparison: 'gt', number: 1 }, {}, false, '1'],
    ['event-value', { value: 'latest', comparison: 'lt', number: -1 }, { severity: 0 }, false, '0'],
    ['recent-events', recent, {}, true, '2', history([{ at: ago(59) }, {}])],
    ['recent-events', recent, {}, false, '1', history([{ at: ago(60) }, {}])],
    ['recent-events', recent, {}, false, '1', history([{ delta: 2 }, {}])],
    [
      'recent-events',
      { ...recent, value: 'latest', number: 3, countComparison: 'eq', count: 0 },
      {},
      true,
      '0',
      history([{}]),
    ],
    [
      'recent-actions',
      { seconds: 60, countComparison: 'eq', count: 0 },
      {},
      true,
      '0',
      history([], [ago(60)]),
    ],
    [
      'recent-actions',
      { seconds: 60, countComparison: 'eq', count: 0 },
      {},
      false,
      '1',
      history([], [ago(59)]),
    ],
    ['severity-name', { comparison: 'eq', name: 'default' }, {}, true, 'default'],
    ['severity-name', { comparison: 'ne', name: 'default' }, {}, false, 'default'],
    ['scope-status', { comparison: 'eq', status: 'warning' }, {}, true, 'warning'],
    ['scope-status', { when: 'before', comparison: 'eq', status: 'warning' }, {}, false, 'normal'],
    ['scope-status', { when: 'after', comparison: 'ne', status: 'incident' }, {}, true, 'warning'],
  ])('%s %j on %j', (conditionId, params, part, holds, seen, past = history()) => {
    const compiled = compileTrigger(trigger({ conditions: [{ conditionId, params }] }));
    const decision = evaluateTrigger(compiled, { event: event(part), history: past, now });
    expect(decision.outcome).toBe(holds ? 'fired' : 'held');
    expect(decision.conditions).toMatchObject([{ conditionId, holds, seen }]);
  });
});

describe('evaluateTrigger', () => {
  it('fires without conditions', () => {
    expect(
      evaluateTrigger(compileTrigger(trigger({})), { event: event(), history: history(), now }).outcome,
    ).toBe('fired');
  });
  it('wants all conditions and tells them all', () => {
    const up = { conditionId: 'severity-changed', params: { direction: 'up' } };
    const down = { conditionId: 'severity-changed', params: { direction: 'down' } };
    const compiled = compileTrigger(trigger({ conditions: [down, up] }));
    const decision = evaluateTrigger(compiled, { event: event(), history: history(), now });
    expect(decision.outcome).toBe('held');
    expect(decision.conditions.map((condition) => condition.holds)).toEqual([false, true]);
  });
  it('is not asked when disabled', () => {
    const compiled = compileTrigger(trigger({ disabled: true }));
    expect(evaluateTrigger(compiled, { event: event(), history: history(), now })).toMatchObject({
      outcome: 'disabled',
      conditions: [],
    });
  });
});

describe('the flow of a trigger', () => {
  it.each([
    ['line', 'Disk full', 'Disk full'],
    ['gone', undefined, { word: 'why.nothing' }],
  ])('names what a step has read that holds the trigger back: %s', (source, line, seen) => {
    const params = { source, comparison: 'equals', value: 'other' };
    const steps = [{ operatorId: 'text-compare', params }];
    const compiled = compileTrigger(trigger({ flow: { steps } }));
    const decision = evaluateTrigger(compiled, { event: event(), history: history(), now });
    runTriggerFlow(compiled, new FlowData({ line }), decision);
    expect(decision).toMatchObject({
      outcome: 'held',
      notes: [{ word: 'why.trigger.stepStopped', params: { number: 1, seen } }],
    });
  });
});

describe('what a trigger needs and refuses', () => {
  const events = (seconds: number) => ({
    conditionId: 'recent-events',
    params: { seconds, value: 'delta', comparison: 'eq', number: 1, countComparison: 'ge', count: 2 },
  });
  const actions = {
    conditionId: 'recent-actions',
    params: { seconds: 1800, countComparison: 'eq', count: 0 },
  };
  it('says how far back it looks', () => {
    expect(historyNeeds(compileTrigger(trigger({ conditions: [events(60), actions, events(90)] })))).toEqual({
      eventSeconds: 90,
      actionSeconds: 1800,
    });
    expect(historyNeeds(compileTrigger(trigger({})))).toEqual({ eventSeconds: 0, actionSeconds: 0 });
    expect(historyNeeds(compileTrigger(trigger({ disabled: true, conditions: [actions] })))).toEqual({
      eventSeconds: 0,
      actionSeconds: 0,
    });
  });
  it('names every field', () => {
    const bad = trigger({
      conditions: [
        events(0),
        { conditionId: 'after-seconds', params: {} },
        { conditionId: 'severity-changed', params: { direction: 'left' } },
      ],
      flow: { steps: [{ operatorId: 'trim', params: { source: 'a' } }] },
    });
    expect(checkTrigger(bad).map((error) => error.path)).toEqual([
      'conditions.0.params.seconds',
      'conditions.1.conditionId',
      'conditions.2.params.direction',
      'flow.steps.0.params.destination',
    ]);
    expect(() => compileTrigger(bad)).toThrow(FlowError);
  });
  it.each(conditions.map((condition) => [condition.conditionId, condition] as const))(
    '%s describes itself',
    (_id, condition) => {
      expect(condition.params).toMatchObject({ type: 'object', additionalProperties: false });
      for (const property of Object.values(
        condition.params.properties as Record<string, { title?: string }>,
      )) {
        expect(property.title).toBeTruthy();
      }
      expect(condition.displayName.ja).not.toBe(condition.displayName.en);
    },
  );
});
