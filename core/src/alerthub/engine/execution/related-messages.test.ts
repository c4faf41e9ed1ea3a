// Related messages passed to actions.
import { describe, expect, it } from 'vitest';
import { checkTrigger } from '../evaluation/evaluate-trigger.ts';
import type { History, PastMessage } from '../state/event-history.ts';
import { decideBatch } from './decide-batch.ts';
import { decideDueTriggers } from './decide-due-triggers.ts';
import { batchInput, message, now, rule, trigger, webhookAction } from './test-fixtures.ts';

const nowMs = Date.parse(now);
const recent = {
  conditionId: 'recent-events',
  params: { seconds: 60, value: 'delta', comparison: 'ge', number: 0, countComparison: 'ge', count: 1 },
};
const action = webhookAction('{{#relatedMessages}}{{messageId}}:{{content.body}} {{/relatedMessages}}');
const past = (messageId: string, part: Partial<PastMessage> = {}): PastMessage => ({
  at: nowMs - 10_000,
  delta: 1,
  before: 0,
  latest: 1,
  severityName: 'default',
  messageId,
  view: { content: { body: messageId } },
  ...part,
});
const told = (
  filters: unknown[],
  messages: PastMessage[],
  bodies = ['now'],
  conditions: object[] = [recent],
) => {
  const history: History = { eventsOf: () => [], actionsOf: () => [], messagesOf: () => messages };
  const related = filters as [];
  const rows = {
    rules: [rule('r')],
    triggers: [trigger('t', { conditions: conditions as [], relatedMessageFilters: related })],
    actions: [action],
  };
  const given = bodies.map((body, index) => message(`m${index}`, body));
  const { firings } = decideBatch({ ...batchInput(rows, { history }), messages: given });
  return firings.map((firing) => (firing.request as { body: string }).body.trim());
};

describe('related messages', () => {
  const around = [past('a', { at: nowMs - 30_000 }), past('b', { latest: 0, before: 2, delta: -2 })];
  const other = past('c', { severityName: 'disk' });
  const early = past('d', { at: nowMs - 61_000 });
  const direction = (way: string) => ({ filterId: 'severity-changed', params: { direction: way } });
  const name = (comparison: string) => ({ filterId: 'severity-name', params: { comparison, name: 'disk' } });
  const same = (comparison: string) => ({ filterId: 'same-severity-name', params: { comparison } });
  const before = { filterId: 'event-value', params: { value: 'before', comparison: 'ge', number: 2 } };

  it.each<[string, unknown[], PastMessage[], string]>([
    ['in the window, oldest first, its own last', [], [...around, other, early], 'a:a b:b c:c m0:now'],
    ['whose severity rose', [direction('up')], around, 'a:a m0:now'],
    ['whose severity fell, and its own all the same', [direction('down')], around, 'b:b m0:now'],
    ['of the same severity', [same('eq')], [...around, other], 'a:a b:b m0:now'],
    ['of another severity', [same('ne')], [...around, other], 'c:c m0:now'],
    ['of a severity', [name('eq')], [...around, other], 'c:c m0:now'],
    ['not of a severity', [name('ne')], [...around, other], 'a:a b:b m0:now'],
    ['by a value', [before], around, 'b:b m0:now'],
    ['by all filters', [before, direction('up')], around, 'm0:now'],
    ['each once', [], [past('a'), past('a')], 'a:a m0:now'],
  ])('are those %s', (_, filters, messages, expected) => {
    expect(told(filters, messages)).toEqual([expected]);
  });

  it('go back for as long as the conditions do', () => {
    const second = { ...recent, params: { ...recent.params, seconds: 1 } };
    const messages = [past('a', { at: nowMs - 1001 }), past('b', { at: nowMs - 1000 })];
    expect(told([], messages, ['now'], [second])).toEqual(['b:b m0:now']);
  });

  it('hold those of the same batch', () => {
    expect(told([], [], ['one', 'two'])).toEqual(['m0:one', 'm0:one m1:two']);
  });

  it('are at most a hundred, the latest ones', () => {
    const many = Array.from({ length: 150 }, (_, index) => past(`p${index}`, { at: nowMs - 50_000 + index }));
    const [text = ''] = told([], many);
    const ids = text.split(' ').map((one) => one.split(':')[0]);
    expect(ids).toHaveLength(100);
    expect([ids[0], ids.at(-1)]).toEqual(['p51', 'm0']);
  });

  it('are bounded in length, and never without the own one', () => {
    const long = { content: { body: 'x'.repeat(30_000) } };
    const [text = ''] = told(
      [],
      [past('a', { view: long }), past('b', { view: long }), past('c', { view: long })],
    );
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('m0:now');
    expect(text).toContain('c:');
  });

  it('stay in order when they are trimmed around the own one, and the templates and the decision say so', () => {
    const long = (body: string) => ({ content: { body: body.repeat(30_000) } });
    const ahead = {
      conditionId: 'event-value-after',
      params: { seconds: 30, value: 'latest', comparison: 'ge', number: 1 },
    };
    const text = '{{#relatedMessages}}{{messageId}} {{/relatedMessages}}{{relatedMessagesTruncated}}';
    const rows = {
      rules: [rule('r')],
      triggers: [trigger('t', { conditions: [ahead, recent] as object[] as [] })],
      actions: [webhookAction(text)],
    };
    const messages = [
      past('before', { at: nowMs - 5000, view: long('a') }),
      past('after1', { at: nowMs + 5000, view: long('b') }),
      past('after2', { at: nowMs + 6000, view: long('c') }),
    ];
    const run = (list: PastMessage[], leavesOut: boolean) => {
      const history: History = {
        eventsOf: () => [],
        actionsOf: () => [],
        messagesOf: () => list,
        leavesOutMessages: () => leavesOut,
      };
      const own = message('m', 'now');
      const first = decideBatch({ ...batchInput(rows, { history }), messages: [own] });
      const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
      const later = new Date(nowMs + 30_000).toISOString();
      const state = new Map([['one', new Map([['default', 1]])]]);
      const due = { ...row, event: first.events[0]!, message: own };
      const { firings, updatedEvents } = decideDueTriggers({
        ...batchInput(rows, { history, state, now: later }),
        dueTriggers: [due],
      });
      const notes = updatedEvents[0]!.triggers[0]!.notes.map(({ word }) => word);
      return [(firings[0]!.request as { body: string }).body, notes];
    };
    expect(run(messages, false)).toEqual(['m after1 after2 true', ['why.related.truncated']]);
    expect(run(messages.slice(0, 2), false)).toEqual(['before m after1 false', []]);
    expect(run([], true)).toEqual(['m true', ['why.related.truncated']]);
  });

  it('keep the place of the own one among those of the same instant', () => {
    const ahead = {
      conditionId: 'event-value-after',
      params: { seconds: 30, value: 'latest', comparison: 'ge', number: 1 },
    };
    const rows = {
      rules: [rule('r')],
      triggers: [
        trigger('t', {
          conditions: [ahead] as object[] as [],
          relatedMessageFilters: [name('eq')] as object[] as [],
        }),
      ],
      actions: [webhookAction('{{#relatedMessages}}{{messageId}} {{/relatedMessages}}')],
    };
    const disk = { at: nowMs, severityName: 'disk' };
    const list = [past('x', disk), past('m', { at: nowMs }), past('other', { at: nowMs }), past('y', disk)];
    const history: History = { eventsOf: () => [], actionsOf: () => [], messagesOf: () => list };
    const own = message('m', 'now');
    const first = decideBatch({ ...batchInput(rows), messages: [own] });
    const { eventId: _e, messageId: _m, ...row } = first.waiting[0]!;
    const { firings } = decideDueTriggers({
      ...batchInput(rows, { history, now: new Date(nowMs + 30_000).toISOString() }),
      state: new Map([['one', new Map([['default', 1]])]]),
      dueTriggers: [{ ...row, event: first.events[0]!, message: own }],
    });
    expect((firings[0]!.request as { body: string }).body).toBe('x m y ');
  });

  it('are none for a trigger without a window of time', () => {
    expect(told([], around, ['now'], [])).toEqual(['']);
  });

  it('want a window when there are filters', () => {
    const row = trigger('t', { relatedMessageFilters: [direction('up')] });
    expect(checkTrigger(row).map(({ path }) => path)).toEqual(['relatedMessageFilters']);
    expect(checkTrigger({ ...row, conditions: [recent] })).toEqual([]);
    const late = {
      conditionId: 'event-value-after',
      params: { seconds: 60, value: 'latest', comparison: 'ge', number: 1 },
    };
    expect(checkTrigger({ ...row, conditions: [late] })).toEqual([]);
    const unknown = {
      ...row,
      conditions: [recent],
      relatedMessageFilters: [{ filterId: 'x', params: {} }, name('maybe')],
    };
    expect(checkTrigger(unknown).map(({ path }) => path)).toEqual([
      'relatedMessageFilters.0.filterId',
      'relatedMessageFilters.1.params.comparison',
    ]);
  });
});
