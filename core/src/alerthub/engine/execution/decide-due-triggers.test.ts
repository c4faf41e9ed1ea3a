// Waiting triggers when they are due: evaluated, held again or fired, and never due forever.
import { describe, expect, it } from 'vitest';
import type { ConfigRows } from '../evaluation/compile-config.ts';
import type { MuteSource } from '../evaluation/scope-mutes.ts';
import type { EventRow } from './batch.ts';
import { decideBatch } from './decide-batch.ts';
import { type DueTrigger, decideDueTriggers } from './decide-due-triggers.ts';
import { batchInput, message, now, rule, trigger, webhookAction } from './test-fixtures.ts';

const at = (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString();
const late = (seconds: number) => ({
  conditionId: 'event-value-after',
  params: { seconds, value: 'latest', comparison: 'ge', number: 1 },
});
const mute = (
  muteScheduleId: string,
  from: number,
  to: number,
  more: Partial<MuteSource> = {},
): MuteSource => ({
  muteScheduleId,
  scopeId: 'one',
  displayName: muteScheduleId,
  disabled: false,
  beginAt: at(from),
  endAt: at(to),
  rrule: null,
  timeZone: null,
  atEnd: 'fire',
  ...more,
});

/**
 * Evaluates one message now, then the triggers left waiting at each of the given times, with a possibly
 * changed configuration.
 */
function pass(rows: Partial<ConfigRows>, seconds: number[], later: Partial<ConfigRows> = rows) {
  const first = decideBatch({ ...batchInput({ rules: [rule('r')], ...rows }), messages: [message('1', {})] });
  const event: EventRow = first.events[0]!;
  let waiting = first.waiting;
  const state = new Map([['one', new Map([['default', 1]])]]);
  const turns = seconds.map((second) => {
    const due = waiting.filter(({ dueAt }) => Date.parse(dueAt) <= Date.parse(at(second)));
    const dueTriggers = due.map(
      ({ eventId: _e, messageId: _m, ...row }): DueTrigger => ({ ...row, event, message: undefined }),
    );
    const result = decideDueTriggers({
      ...batchInput({ rules: [rule('r')], ...later }, { state, now: at(second) }),
      dueTriggers,
    });
    waiting = [...waiting.filter((row) => !due.includes(row)), ...result.waiting];
    for (const { triggers } of result.updatedEvents) event.triggers = triggers;
    return { result, decisions: event.triggers, waiting };
  });
  return { first, turns };
}

describe('releases', () => {
  it('asks the first late condition of an event from a clock that was ahead, and then waits for the next', () => {
    const rows = { triggers: [trigger('t', { conditions: [late(60), late(120)] })] };
    const { first } = pass(rows, []);
    const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
    const dueAt = at(-86_340);
    const state = new Map([['one', new Map([['default', 1]])]]);
    const { waiting, updatedEvents } = decideDueTriggers({
      ...batchInput({ rules: [rule('r')], ...rows }, { state, now: dueAt }),
      dueTriggers: [{ ...row, dueAt, event: first.events[0]!, message: undefined }],
    });
    expect(updatedEvents[0]!.triggers[0]).toMatchObject({ outcome: 'waiting' });
    expect(waiting.map(({ pendingConditions }) => pendingConditions.map(({ index }) => index))).toEqual([
      [1],
    ]);
  });

  it('asks a late condition at its very second, and never waits for a time that has come', () => {
    const { first, turns } = pass(
      { triggers: [trigger('t', { conditions: [late(60), late(120)] })] },
      [60, 120],
    );
    expect(first.waiting.map(({ dueAt }) => dueAt)).toEqual([at(60)]);
    expect(
      turns[0]!.waiting.map(({ dueAt, pendingConditions }) => [
        dueAt,
        pendingConditions.map(({ index }) => index),
      ]),
    ).toEqual([[at(120), [1]]]);
    expect(turns[0]!.decisions[0]).toMatchObject({ outcome: 'waiting' });
    expect(turns[1]!.waiting).toEqual([]);
    expect(turns[1]!.decisions[0]).toMatchObject({ outcome: 'fired' });
    expect(turns[1]!.result.firings).toHaveLength(1);
  });

  it.each([
    ['fires', [], 'fired'],
    ['is held back', [{ at: Date.parse(at(30)) }], 'held'],
  ])('%s by the actions that have run when the last late condition holds', (_what, actions, outcome) => {
    const none = {
      conditionId: 'recent-actions',
      params: { seconds: 3600, countComparison: 'eq', count: 0 },
    };
    const rows = { triggers: [trigger('t', { conditions: [none, late(60)] })] };
    const { first } = pass(rows, []);
    const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
    const { firings, updatedEvents } = decideDueTriggers({
      ...batchInput(rows, {
        state: new Map([['one', new Map([['default', 1]])]]),
        history: { eventsOf: () => [], actionsOf: () => actions },
        now: at(60),
      }),
      dueTriggers: [{ ...row, event: first.events[0]!, message: undefined }],
    });
    expect(firings).toHaveLength(1 - actions.length);
    expect(updatedEvents[0]!.triggers[0]).toMatchObject({
      outcome,
      conditions: [
        { holds: outcome === 'fired', seen: String(actions.length), askedAt: at(60) },
        { holds: true },
      ],
    });
  });

  it('fails a trigger that waited for nothing that is due, instead of letting it wait for ever', () => {
    const { first, turns } = pass({ triggers: [trigger('t', { conditions: [late(60)] })] }, [59]);
    expect(turns[0]!.waiting).toHaveLength(1);
    const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
    const early: DueTrigger = { ...row, event: first.events[0]!, message: undefined };
    const base = batchInput({ triggers: [trigger('t')] }, { now: at(59) });
    const { waiting, updatedEvents } = decideDueTriggers({ ...base, dueTriggers: [early] });
    expect(waiting).toEqual([]);
    expect(updatedEvents[0]!.triggers[0]).toMatchObject({
      outcome: 'failed',
      notes: [{ word: 'why.threw' }],
    });
  });

  it('says when it was released, but not of a trigger that another mute schedule holds again', () => {
    const rows = { triggers: [trigger('t')], mutes: [mute('first', -10, 60), mute('second', 30, 90)] };
    const { turns } = pass(rows, [60, 90]);
    expect(turns[0]!.decisions[0]).toMatchObject({ outcome: 'muted' });
    expect(turns[0]!.decisions[0]!.releasedAt).toBeUndefined();
    expect(turns[0]!.decisions[0]!.mutes!.map(({ muteScheduleId }) => muteScheduleId)).toEqual([
      'first',
      'second',
    ]);
    expect(turns[1]!.decisions[0]).toMatchObject({ outcome: 'fired', releasedAt: at(90) });
  });

  it('says when it was released and held again', () => {
    const held = { ...mute('first', -10, 60) };
    const { first, turns } = pass({ triggers: [trigger('t')], mutes: [held] }, [60], {
      triggers: [trigger('t')],
      mutes: [{ ...held, endAt: at(300) }],
    });
    // Released and held again: the decision must not have a release time yet.
    expect(first.waiting).toHaveLength(1);
    expect('releasedAt' in turns[0]!.decisions[0]!).toBe(false);
  });

  it('lets a mute schedule replace what an earlier one kept, and not what waits for its conditions', () => {
    const rows = {
      triggers: [trigger('t', { conditions: [late(60)] })],
      mutes: [mute('hold', 50, 3600)],
    };
    const base = batchInput({ rules: [rule('r')], ...rows });
    const messages = [message('1', {}), message('2', {})];
    const { waiting, events } = decideBatch({ ...base, messages });
    expect(waiting.map(({ cause }) => cause)).toEqual(['delay', 'delay']);
    const state = new Map([['one', new Map([['default', 2]])]]);
    // Both are due during the mute; a third event starts its delay in the same batch as the hold.
    const releases = waiting.map(
      ({ eventId, messageId: _m, ...row }): DueTrigger => ({
        ...row,
        event: events.find((one) => one.eventId === eventId)!,
        message: undefined,
      }),
    );
    const twice = [late(60), late(120)];
    const pendingConditions = [
      { index: 0, condition: twice[0]! },
      { index: 1, condition: twice[1]! },
    ];
    const third = { ...releases[0]!, waitingTriggerId: 'third', pendingConditions };
    third.event = { ...third.event, eventId: 'third' };
    const result = decideDueTriggers({
      ...batchInput({ rules: [rule('r')], ...rows }, { state, now: at(60) }),
      dueTriggers: [third, ...releases],
    });
    expect(result.waiting.map(({ cause, eventId }) => [cause, eventId])).toEqual([
      ['delay', 'third'],
      ['mute', releases[1]!.event.eventId],
    ]);
  });

  it('starts a runbook at the eighth step of a chain, and none at the ninth', () => {
    const runbook = { runbookId: 'book', displayName: 'Book', startStepId: null, steps: [] };
    const rows = {
      triggers: [trigger('t', { target: { kind: 'runbook', id: 'book' }, conditions: [late(60)] })],
      runbooks: [runbook],
    };
    const { first } = pass(rows, []);
    const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
    const state = new Map([['one', new Map([['default', 1]])]]);
    const started = (depth: number) =>
      decideDueTriggers({
        ...batchInput({ rules: [rule('r')], ...rows }, { state, now: at(60) }),
        dueTriggers: [{ ...row, depth, event: first.events[0]!, message: undefined }],
      });
    expect(started(8).runbookStarts).toHaveLength(1);
    expect(started(9).runbookStarts).toHaveLength(0);
    expect(started(9).updatedEvents[0]!.triggers[0]).toMatchObject({
      outcome: 'failed',
      notes: [{ word: 'why.runbook.tooDeep', params: { most: 8 } }],
    });
  });

  it('names of several mute schedules the one that ends last, in whatever order they stand', () => {
    const long = mute('long', -10, 600);
    const short = mute('short', -10, 60);
    for (const mutes of [
      [long, short],
      [short, long],
    ]) {
      const { first } = pass({ triggers: [trigger('t')], mutes }, []);
      expect(first.events[0]!.triggers[0]!.mutes).toMatchObject([{ muteScheduleId: 'long', until: at(600) }]);
      expect(first.waiting).toMatchObject([{ muteScheduleId: 'long', dueAt: at(600) }]);
    }
  });

  it.each([
    ['ends later', 600],
    ['ends earlier', 30],
  ])('fires in the end although a silent mute schedule that %s was active as well', (_, silentEnd) => {
    const fire = mute('fire', -10, 60);
    const silent = mute('silent', -10, silentEnd, { atEnd: 'silent' });
    const last = Math.max(60, silentEnd);
    for (const mutes of [
      [fire, silent],
      [silent, fire],
    ]) {
      const { first, turns } = pass({ triggers: [trigger('t')], mutes }, [60, last]);
      expect(first.waiting).toMatchObject([{ muteScheduleId: 'fire', dueAt: at(60) }]);
      const held = first.events[0]!.triggers[0]!.mutes![0];
      expect(held).toMatchObject({ muteScheduleId: 'fire', overrules: ['silent'] });
      expect(turns[1]!.decisions[0]).toMatchObject({ outcome: 'fired', releasedAt: at(last) });
      expect(turns.flatMap(({ result }) => result.firings)).toHaveLength(1);
    }
  });

  it('drops the trigger if all active mute schedules are silent', () => {
    const mutes = [mute('a', -10, 60, { atEnd: 'silent' }), mute('b', -10, 90, { atEnd: 'silent' })];
    const { first } = pass({ triggers: [trigger('t')], mutes }, []);
    expect(first.waiting).toEqual([]);
    expect(first.events[0]!.triggers[0]!.mutes).toEqual([
      { muteScheduleId: 'b', displayName: 'b', atEnd: 'silent', until: at(90) },
    ]);
  });

  it('leaves the due triggers that would exceed the weight limit to the next batch', () => {
    const rows = {
      triggers: ['a', 'b', 'c', 'd'].map((triggerId) => trigger(triggerId, { conditions: [late(60)] })),
      actions: [webhookAction('x'.repeat(1000))],
    };
    const { first } = pass(rows, []);
    const event = first.events[0]!;
    const dueTriggers = first.waiting.map(
      ({ eventId: _e, messageId: _m, ...row }): DueTrigger => ({ ...row, event, message: undefined }),
    );
    const state = new Map([['one', new Map([['default', 1]])]]);
    const releasedWith = (maxWeight: number) => {
      const base = batchInput({ rules: [rule('r')], ...rows }, { state, now: at(60), maxWeight });
      const { released, firings } = decideDueTriggers({ ...base, dueTriggers });
      expect(firings.map(({ triggerId }) => triggerId)).toEqual(
        ['a', 'b', 'c', 'd'].slice(0, released.length),
      );
      return released;
    };
    const ids = dueTriggers.map(({ waitingTriggerId }) => waitingTriggerId);
    expect(releasedWith(1500)).toEqual(ids.slice(0, 2));
    // The first one is always evaluated.
    expect(releasedWith(1)).toEqual(ids.slice(0, 1));
    expect(releasedWith(1_000_000)).toEqual(ids);
  });
});
