// Ways out of a failing action step: continue on failure, bounded attempts, branches on outcome and status.
import { describe, expect, it } from 'vitest';
import { runbookGraph } from '../../runbook.ts';
import { runRunbooks } from './run-runbooks.ts';
import type { ActionOutcome, RunbookRun } from './runbook-run.ts';
import { batchInput, now, webhookAction } from './test-fixtures.ts';

const actionId = '01900000-0000-7000-8000-000000000001';
const actions = [{ ...webhookAction('{"a":1}'), actionId }];
const branch = (stepId: string, conditionId: string, params: object, nextTrue: string | null) => ({
  ...{ stepId, kind: 'branch', params: { conditionId, params }, nextTrue, nextFalse: null },
});
const note = (stepId: string) => ({
  stepId,
  kind: 'operator',
  params: { operatorId: 'concatenate', params: { template: stepId, destination: 'said' } },
});

function graphOf(params: object, ...after: object[]) {
  const first = { stepId: 'call', kind: 'action', params: { actionId, ...params }, next: 'test' };
  return runbookGraph.parse({ startStepId: 'call', steps: [first, ...after] });
}

function run(graph: RunbookRun['graph'], more: Partial<RunbookRun>) {
  const { progress, firings } = runRunbooks({
    ...batchInput({ actions }),
    runs: [
      {
        ...{ runbookRecordId: 'record', runbookId: 'runbook', displayName: 'Runbook', requestedAt: now },
        ...{ graph, depth: 0, context: {}, message: undefined, trace: [], currentStepId: 'call' },
        actionOutcome: undefined,
        ...more,
      },
    ],
  });
  const { steps, ...end } = progress[0]!;
  return { ...end, steps, trail: steps.map((step) => `${step.flowStepId} ${step.status}`), firings };
}

/** Runs until the record waits, then with the result of its action; undefined means that the time is over. */
function runTo(
  graph: RunbookRun['graph'],
  actionOutcome: ActionOutcome | undefined,
  latestResponse?: unknown,
) {
  const first = run(graph, {});
  expect(first.trail).toEqual(['call processing']);
  return run(graph, { trace: first.steps, actionOutcome, latestResponse });
}

const unreachable: ActionOutcome = { succeeded: false, output: null, reason: { word: 'delivery.refused' } };
const answer = (statusCode: number): ActionOutcome => ({
  ...{ succeeded: true, output: { statusCode, headers: {}, body: '' }, reason: null },
});

it.each([
  ['a test that does not hold ends', 'exists', { source: 'gone' }, 'succeeded'],
  ['a value that cannot be written fails', 'trim', { source: 'gone', destination: 'line' }, 'failed'],
])('%s the record', (_what, operatorId, params, status) => {
  const step = { stepId: 'test', kind: 'operator', params: { operatorId, params }, next: 'note' };
  const end = run(graphOf({}, step, note('note')), { currentStepId: 'test' });
  expect(end).toMatchObject({ status, trail: [`test ${status}`] });
});

describe('a waiting action step', () => {
  const onOutcome = (outcome: string) => branch('test', 'step-outcome', { step: 'call', outcome }, 'note');
  const waits = { wait: true, timeoutSeconds: 30 };
  const continuesInNextFrame = { ...waits, continueOnFailure: true };

  it.each([
    ['that fails', unreachable, 'delivery.refused'],
    ['without a response in time', undefined, 'why.runbook.timeout'],
  ])('%s ends the record by default', (_, outcome, word) => {
    const end = runTo(graphOf(waits, onOutcome('failed'), note('note')), outcome);
    expect(end).toMatchObject({ status: 'failed', reason: { word }, trail: ['call failed'] });
  });

  it.each([
    ['failed', unreachable, 'failed'],
    ['timedOut', undefined, 'failed'],
    ['failed', answer(503), 'succeeded'],
    ['failed', answer(300), 'succeeded'],
    ['failed', answer(199), 'succeeded'],
    ['succeeded', answer(200), 'succeeded'],
    ['succeeded', answer(299), 'succeeded'],
  ])('has the outcome %s for a branch', (outcome, result, status) => {
    const others = ['succeeded', 'failed', 'timedOut'].filter((other) => other !== outcome);
    const taken = runTo(graphOf(continuesInNextFrame, onOutcome(outcome), note('note')), result);
    expect(taken).toMatchObject({ status: 'succeeded', reason: null });
    expect(taken.trail).toEqual([`call ${status}`, 'test succeeded', 'note succeeded']);
    for (const other of others) {
      const passed = runTo(graphOf(continuesInNextFrame, onOutcome(other), note('note')), result);
      expect(passed.trail).toEqual([`call ${status}`, 'test succeeded']);
    }
  });

  it.each<[string, ActionOutcome | undefined, unknown, boolean]>([
    ['a final 503', answer(503), undefined, true],
    ['a 502 that is still retried when the time is over', undefined, { statusCode: 502 }, true],
    ['a final 404', answer(404), undefined, false],
    ['a 600, which is no class', answer(600), undefined, false],
    ['no response', undefined, undefined, false],
  ])('branches on 5xx: %s', (_, result, latest, holds) => {
    const graph = graphOf(
      continuesInNextFrame,
      branch('test', 'status-class', { step: 'call', class: '5xx' }, 'note'),
      note('note'),
    );
    expect(runTo(graph, result, latest).trail.includes('note succeeded')).toBe(holds);
  });

  it('still knows a failed step after a restart', () => {
    const graph = graphOf(continuesInNextFrame, onOutcome('timedOut'), note('note'));
    const first = run(graph, {});
    const [failed] = run(graph, { trace: first.steps }).steps;
    const later = run(graph, { trace: JSON.parse(JSON.stringify([failed])), currentStepId: 'test' });
    expect(later.trail).toEqual(['test succeeded', 'note succeeded']);
  });
});

describe('a step of what does not exist', () => {
  it.each([
    ['operator', { operatorId: 'gone' }, { word: 'why.operator.unknown', params: { operatorId: 'gone' } }],
    ['branch', { conditionId: 'gone' }, { word: 'why.condition.unknown', params: { conditionId: 'gone' } }],
  ])('fails as a %s, which its reason names', (kind, params, because) => {
    const step = { stepId: 'call', kind, params: { ...params, params: {} } };
    const end = run(runbookGraph.parse({ startStepId: 'call', steps: [step] }), {});
    expect(end).toMatchObject({ status: 'failed', reason: { params: { because } } });
  });
});

describe('an action step', () => {
  it('passes its limit of attempts to the delivery, and none without one', () => {
    const limits = (params: object) =>
      run(graphOf(params, note('test')), {}).firings.map((one) => one.maxAttempts);
    expect(limits({ maxAttempts: 2 })).toEqual([2]);
    expect(limits({})).toEqual([undefined]);
  });

  it('that cannot run is passed over only if it says so', () => {
    const broken = { actionId: '01900000-0000-7000-8000-00000000000f' };
    expect(run(graphOf(broken, note('test')), {})).toMatchObject({
      status: 'failed',
      trail: ['call failed'],
    });
    expect(run(graphOf({ ...broken, continueOnFailure: true }, note('test')), {})).toMatchObject({
      status: 'succeeded',
      trail: ['call failed', 'test succeeded'],
    });
  });
});

describe('a test run', () => {
  const graph = graphOf(
    { wait: true, continueOnFailure: true },
    branch('test', 'step-outcome', { step: 'call', outcome: 'timedOut' }, 'note'),
    note('note'),
  );
  it.each([
    [{ call: 'timedOut' as const }, ['call failed', 'test succeeded', 'note succeeded']],
    [{ call: 'failed' as const }, ['call failed', 'test succeeded']],
    [{}, ['call succeeded', 'test succeeded']],
  ])('assumes the failures %j and sends nothing', (failures, trail) => {
    const result = run(graph, { dryRun: { outputs: {}, failures } });
    expect(result.trail).toEqual(trail);
    expect(result.firings).toEqual([]);
  });
});

it('an operator after steps that have parsed too much fails and says why', () => {
  const parse = (stepId: string, next: string | null) => ({
    ...{ stepId, kind: 'operator', next },
    params: { operatorId: 'html-to-text', params: { source: 'page', destination: 'read', elements: [] } },
  });
  const graph = runbookGraph.parse({ startStepId: 'one', steps: [parse('one', 'two'), parse('two', null)] });
  const context = { page: 'x'.repeat(1_010_000) };
  const { trail, steps, status } = run(graph, { context, currentStepId: 'one' });
  expect([status, ...trail]).toEqual(['failed', 'one succeeded', 'two failed']);
  expect(steps[1]!.reason).toEqual({ word: 'why.parse.tooMuchWork', params: { path: 'page' } });
});
