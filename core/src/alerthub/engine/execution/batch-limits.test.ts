// Limits of one message, rule, trigger, record or name; whatever exceeds its limit fails alone.
import { describe, expect, it } from 'vitest';
import { runbookGraph } from '../../runbook.ts';
import { overflowSeverityName } from '../../scope-status.ts';
import { decideBatch, decideMessages } from './decide-batch.ts';
import { runRunbooks } from './run-runbooks.ts';
import type { RunbookRun } from './runbook-run.ts';
import { batchInput, message, rule, trigger, webhookAction } from './test-fixtures.ts';

const actionId = '01900000-0000-7000-8000-000000000001';
const callGraph = runbookGraph.parse({
  startStepId: 'call',
  steps: [{ stepId: 'call', kind: 'action', params: { actionId } }],
});
const run = (runbookRecordId: string, more: Partial<RunbookRun> = {}): RunbookRun => ({
  runbookRecordId,
  runbookId: 'runbook',
  displayName: 'Runbook',
  requestedAt: '2026-01-02T00:00:00.000Z',
  graph: { startStepId: null, steps: [] },
  depth: 0,
  context: {},
  message: undefined,
  trace: [],
  currentStepId: null,
  actionOutcome: undefined,
  ...more,
});

describe('bounds of deciding', () => {
  describe('a scope with 1,000 names', () => {
    const decideNames = (values: (index: number) => number, delta: number, ...bodies: string[]) =>
      decideBatch({
        ...batchInput(
          {
            rules: [
              rule('r', {
                eventParams: [{ scopeId: 'one', severityName: { path: 'message.content.body' }, delta }],
              }),
            ],
          },
          {
            state: new Map([
              ['one', new Map(Array.from({ length: 1000 }, (_, index) => [`s${index}`, values(index)]))],
            ]),
          },
        ),
        messages: bodies.map((body, index) => message(String(index), body)),
      });

    it('lets a normal one give way to the next', () => {
      const result = decideNames((index) => (index < 4 || index > 8 ? 1 : 0), 3, 's5', 'another', 's6', 's4');
      expect(result.events.map((event) => event.severityName)).toEqual(['s5', 'another', 's6', 's4']);
      // `another` evicts s4, which then evicts s7 when it is raised again.
      expect(result.evictedSeverities).toEqual([{ scopeId: 'one', name: 's7' }]);
      expect(result.severities.map(({ name }) => name)).toEqual(['s5', 'another', 's6', 's4']);
    });

    it('counts what has no place together, and says so', () => {
      const result = decideNames(() => 1, 20, 's5', 'another', 'and another');
      expect(result.events.map((event) => [event.severityName, event.severity])).toEqual([
        ['s5', 21],
        [overflowSeverityName, 20],
        [overflowSeverityName, 40],
      ]);
      expect(result.messages[1]!.rules[0]!.notes[0]).toEqual({
        word: 'why.event.overflow',
        params: { scope: 'Scope one', name: 'another', overflow: overflowSeverityName },
      });
      expect(result.evictedSeverities).toEqual([]);
      expect(result.scopes[0]).toMatchObject({ status: 'incident', severity: 40 });
    });

    it('is not made better under a name that it does not have', () => {
      const result = decideNames(() => 1, -20, 'another');
      expect(result.events).toEqual([]);
      expect(result.messages[0]!.rules[0]!.notes[0]!.word).toBe('why.event.tooManyNames');
    });
  });

  it('leaves to the next batch what would make this one too long', () => {
    const rows = {
      rules: [rule('r')],
      triggers: [trigger('t')],
      actions: [webhookAction('{{message.content.body}}')],
    };
    const messages = Array.from({ length: 6 }, (_, index) => message(String(index), 'x'.repeat(1000)));
    const decided = decideMessages({ ...batchInput(rows, { maxWeight: 2500 }), messages });
    expect(decided.messages.map(({ messageId }) => messageId)).toEqual(['0', '1', '2']);
    expect(decided.result().firings).toHaveLength(3);
    const one = decideMessages({ ...batchInput(rows, { maxWeight: 1 }), messages: messages.slice(0, 1) });
    expect(one.messages).toHaveLength(1);
  });

  it('leaves the runbook records that would exceed the weight limit to the next batch', () => {
    const rows = { actions: [{ ...webhookAction('x'.repeat(1000)), actionId }] };
    const runs = ['a', 'b', 'c', 'd'].map((id) => run(id, { graph: callGraph, currentStepId: 'call' }));
    const { progress, firings } = runRunbooks({ ...batchInput(rows, { maxWeight: 1500 }), runs });
    expect(progress.map(({ runbookRecordId, status }) => [runbookRecordId, status])).toEqual([
      ['a', 'succeeded'],
      ['b', 'succeeded'],
    ]);
    expect(firings).toHaveLength(2);
    expect(runRunbooks({ ...batchInput(rows, { maxWeight: 1 }), runs }).progress).toHaveLength(1);
  });

  it('begins only the runbook records of its messages that fit the weight limit', () => {
    const rows = {
      actions: [{ ...webhookAction('x'.repeat(1000)), actionId }],
      runbooks: [{ runbookId: 'runbook', displayName: 'Runbook', ...callGraph }],
      slotRunbooks: [{ receiveSlotId: 'slot', runbookId: 'runbook' }],
    };
    const messages = ['1', '2', '3', '4'].map((id) => message(id, ''));
    const decided = decideMessages({ ...batchInput(rows, { maxWeight: 1500 }), messages });
    expect(decided.runbookStarts).toHaveLength(4);
    const begun = decided.startRunbooks().map(({ runbookRecordId }) => runbookRecordId);
    expect(begun).toEqual(decided.runbookStarts.slice(0, 2).map(({ runbookRecordId }) => runbookRecordId));
    expect(decided.result().firings).toHaveLength(2);
  });

  it('fails the actions of one message that would be too long altogether, and no others', () => {
    const rows = {
      rules: [rule('r')],
      triggers: Array.from({ length: 70 }, (_, index) => trigger(`t${String(index).padStart(2, '0')}`)),
      actions: [webhookAction('{{message.content.body}}')],
    };
    const big = 'x'.repeat(1_000_000);
    const { firings } = decideBatch({
      ...batchInput(rows),
      messages: [message('1', big), message('2', 'small')],
    });
    const failed = firings.filter(({ problem }) => problem);
    expect(failed.map(({ messageId, request }) => [messageId, request])).toEqual(
      failed.map(() => ['1', null]),
    );
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(10);
    expect(failed[0]!.problem).toMatchObject({
      word: 'delivery.badTemplate',
      params: { detail: { word: 'why.action.tooMuch' } },
    });
  });

  it('keeps a rule and a trigger that cannot be compiled from all others', () => {
    const odd = {
      get steps(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const rows = {
      rules: [rule('a', { flow: odd }), rule('b')],
      triggers: [trigger('c', { flow: odd }), trigger('d')],
    };
    const result = decideBatch({ ...batchInput(rows), messages: [message('1', {})] });
    expect(result.messages[0]!.rules.map(({ outcome }) => outcome)).toEqual(['failed', 'matched']);
    expect(result.events[0]!.triggers.map(({ outcome }) => outcome)).toEqual(['failed', 'fired']);
  });

  it('fails a record of a runbook that cannot even be begun, and no other', () => {
    const odd = {
      get broken(): never {
        throw new RangeError('Invalid time value');
      },
    };
    const { progress } = runRunbooks({
      ...batchInput({}),
      runs: [run('a'), run('b', { context: odd }), run('c')],
    });
    expect(progress.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(progress[1]!.reason).toEqual({ word: 'why.threw', params: { detail: 'Invalid time value' } });
  });
});
