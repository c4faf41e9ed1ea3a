// Random runbooks compared with a simple reference walk, uninterrupted and suspended at every action.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunbookGraph, runbookGraph } from '../../runbook.ts';
import { startBatch } from './batch.ts';
import { decideMessages } from './decide-batch.ts';
import { runRunbooks, startRunbooks } from './run-runbooks.ts';
import type { RunbookProgress, RunbookRun } from './runbook-run.ts';
import { batchInput, message, now, rule, scope, trigger, webhookAction } from './test-fixtures.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const way = fc.option(fc.constantFrom(...ids), { nil: null, freq: 4 });
const node = fc.record({
  kind: fc.constantFrom('action', 'operator', 'branch', 'event'),
  one: way,
  two: way,
  maxVisits: fc.integer({ min: 1, max: 4 }),
});
type Node = typeof node extends fc.Arbitrary<infer T> ? T : never;
const nodes = fc.tuple(node, node, node, node, node, node);

const paramsOf: Record<string, (wait: boolean) => object> = {
  action: (wait) => ({ actionId: '01900000-0000-7000-8000-000000000001', wait }),
  operator: () => ({ operatorId: 'concatenate', params: { template: '{{s}}x', destination: 's' } }),
  branch: () => ({ conditionId: 'regex-match', params: { source: 's', pattern: '^(xx)+$' } }),
  event: () => ({ scopeId: '01900000-0000-7000-8000-000000000002', delta: 1 }),
};

function graphOf(made: readonly Node[], wait: boolean): RunbookGraph {
  const steps = made.map(({ kind, one, two, maxVisits }, index) => ({
    stepId: ids[index],
    kind,
    params: paramsOf[kind]!(wait),
    maxVisits,
    ...(kind === 'branch' ? { nextTrue: one, nextFalse: two } : { next: one }),
  }));
  return runbookGraph.parse({ startStepId: 'a', steps });
}

/** The executed steps and their outcomes. */
function walk(made: readonly Node[]): { trail: string[]; status: string } {
  const trail: string[] = [];
  let text = '';
  let at: string | null = 'a';
  while (at !== null) {
    const id: string = at;
    const { kind, one, two, maxVisits }: Node = made[ids.indexOf(id)]!;
    if (trail.filter((other) => other === id).length === maxVisits) return { trail, status: 'failed' };
    trail.push(id);
    if (kind === 'operator') text += 'x';
    const even = text.length > 0 && text.length % 2 === 0;
    at = kind === 'branch' && !even ? two : one;
  }
  return { trail, status: 'succeeded' };
}

const action = { ...webhookAction('{{s}}'), actionId: '01900000-0000-7000-8000-000000000001' };

/** Runs to the end; every round only knows what the previous rounds stored. */
function run(graph: RunbookGraph): {
  last: RunbookProgress;
  trail: string[];
  severity: number;
  turns: number;
} {
  const stored = new Map<number, RunbookRun['trace'][number]>();
  let currentStepId = graph.startStepId;
  let actionOutcome: RunbookRun['actionOutcome'];
  let severity = 0;
  for (let turns = 1; ; turns += 1) {
    const scopeId = '01900000-0000-7000-8000-000000000002';
    const scope = { scopeId, displayName: 's', remarks: '', recoveryTime: null, attributes: [] };
    const given = batchInput(
      { actions: [action], scopes: [{ ...scope, thresholds: { warning: 1, incident: 2 } }] },
      { state: new Map([[scopeId, new Map([['default', severity]])]]) },
    );
    const result = runRunbooks({
      ...given,
      runs: [
        {
          runbookRecordId: 'record',
          runbookId: 'runbook',
          displayName: 'Runbook',
          requestedAt: now,
          graph,
          depth: 0,
          context: {},
          message: undefined,
          trace: [...stored.values()].sort((one, two) => one.seq - two.seq),
          currentStepId,
          actionOutcome,
        },
      ],
    });
    severity = result.severities[0]?.value ?? severity;
    const last = JSON.parse(JSON.stringify(result.progress[0])) as RunbookProgress;
    for (const step of last.steps) stored.set(step.seq, step);
    const trail = [...stored.values()].sort((one, two) => one.seq - two.seq).map((step) => step.flowStepId);
    if (last.dueAt === null) return { last, trail, severity, turns };
    currentStepId = last.currentStepId;
    actionOutcome = { succeeded: true, output: { statusCode: 200 }, reason: null };
  }
}

it('walks the same way in one go, and resumed after every action', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, (made) => {
      const expected = walk(made);
      const events = expected.trail.filter((id) => made[ids.indexOf(id)]!.kind === 'event').length;
      for (const wait of [false, true]) {
        const { last, trail, severity, turns } = run(graphOf(made, wait));
        expect({ trail, status: last.status }).toEqual(expected);
        expect(severity).toBe(events);
        if (!wait) expect(turns).toBe(1);
      }
    }),
    { seed: 20260131, numRuns: 500 },
  );
});

it('walks the same way when it begins in the batch of its message', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, (made) => {
      const expected = walk(made);
      const graph = graphOf(made, false);
      const scopeId = '01900000-0000-7000-8000-000000000002';
      const given = batchInput(
        {
          actions: [action],
          scopes: [scope(scopeId)],
          rules: [rule('r', { eventParams: [{ scopeId, severityName: { literal: 'default' }, delta: 5 }] })],
          runbooks: [{ runbookId: 'runbook', displayName: 'Runbook', ...graph }],
          slotRunbooks: [{ receiveSlotId: 'slot', runbookId: 'runbook' }],
        },
        { state: new Map([[scopeId, new Map([['default', 3]])]]) },
      );
      const decided = decideMessages({ ...given, messages: [message('one', ''), message('two', '')] });
      expect(decided.runbookStarts.map((start) => start.sourceMessageId)).toEqual(['one', 'two']);
      const begun = decided.startRunbooks();
      expect(begun.map((one) => one.status)).toEqual([expected.status, expected.status]);
      for (const { steps } of begun) expect(steps.map((step) => step.flowStepId)).toEqual(expected.trail);
      const result = decided.result();
      expect(result.runbookStarts.map((start) => start.runbookRecordId)).toEqual(
        begun.map((one) => one.runbookRecordId),
      );
      const raised = expected.trail.filter((id) => made[ids.indexOf(id)]!.kind === 'event').length;
      // Events of both messages come first; the events raised by the runbook build on them.
      expect(result.events.map(({ source }) => source).slice(0, 2)).toEqual(['rule', 'rule']);
      expect(result.severities[0]!.value).toBe(3 + 10 + 2 * raised);
    }),
    { seed: 20260131, numRuns: 200 },
  );
});

it('begins only so many records with their messages, and leaves the others among the starts', () => {
  const step = {
    stepId: 'a',
    kind: 'operator',
    params: paramsOf.operator!(false),
    maxVisits: 200,
    next: 'a',
  };
  const graph = runbookGraph.parse({ startStepId: 'a', steps: [step] });
  const given = batchInput({
    runbooks: [{ runbookId: 'runbook', displayName: 'Runbook', ...graph }],
    slotRunbooks: [{ receiveSlotId: 'slot', runbookId: 'runbook' }],
  });
  const messages = Array.from({ length: 40 }, (_, index) => message(`m${index}`, ''));
  const decided = decideMessages({ ...given, messages });
  expect(decided.startRunbooks()).toHaveLength(25);
  expect(decided.result().runbookStarts).toHaveLength(40);
});

it('raises events in the name of its message and one step deeper', () => {
  const scopeId = '01900000-0000-7000-8000-000000000002';
  const step = { stepId: 'a', kind: 'event', params: paramsOf.event!(false), next: null };
  const graph = runbookGraph.parse({ startStepId: 'a', steps: [step] });
  const target = { kind: 'runbook' as const, id: 'runbook' };
  const { events, runbookStarts } = runRunbooks({
    ...batchInput({
      scopes: [scope(scopeId)],
      triggers: [trigger('t', { scopeId, target })],
      runbooks: [{ runbookId: 'runbook', displayName: 'Runbook', ...graph }],
    }),
    runs: [
      {
        ...{ runbookRecordId: 'record', runbookId: 'runbook', displayName: 'Runbook', requestedAt: now },
        ...{ graph, depth: 3, context: {}, message: message('one', ''), trace: [], currentStepId: 'a' },
        actionOutcome: undefined,
      },
    ],
  });
  expect(events).toMatchObject([
    { source: 'runbook', messageId: 'one', ruleId: null, cause: { kind: 'runbook', stepName: 'a' } },
  ]);
  expect(runbookStarts).toMatchObject([{ runbook: { runbookId: 'runbook' }, depth: 4 }]);
});

it('leaves a record whose message is not at hand to a later batch, and begins one without a message', () => {
  const step = { stepId: 'a', kind: 'operator', params: paramsOf.operator!(false), maxVisits: 1, next: null };
  const graph = runbookGraph.parse({ startStepId: 'a', steps: [step] });
  const start = {
    runbook: { runbookId: 'runbook', displayName: 'Runbook', ...graph },
    origin: 'trigger',
    sourceScopeId: null,
    triggerId: null,
    eventId: null,
    depth: 0,
    context: {},
  } as const;
  const begun = startRunbooks(
    startBatch(batchInput({})),
    [
      { ...start, runbookRecordId: 'of a message that is gone', sourceMessageId: 'gone' },
      { ...start, runbookRecordId: 'of a message', sourceMessageId: 'one' },
      { ...start, runbookRecordId: 'without', sourceMessageId: null },
    ],
    [message('one', '')],
  );
  expect(begun.map(({ runbookRecordId, status }) => [runbookRecordId, status])).toEqual([
    ['of a message', 'succeeded'],
    ['without', 'succeeded'],
  ]);
});
