import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RunbookGraph, runbookGraph } from '../../runbook.ts';
import { checkRunbook } from './check-runbook.ts';

const scopeId = '01900000-0000-7000-8000-000000000001';
const event = (stepId: string, next: string | null = null, more: object = {}) => ({
  stepId,
  kind: 'event',
  params: { scopeId, delta: 1 },
  next,
  ...more,
});
const branch = (stepId: string, nextTrue: string | null, nextFalse: string | null, more: object = {}) => ({
  stepId,
  kind: 'branch',
  params: { conditionId: 'boolean-compare', params: { source: 'message.content.data.x' } },
  nextTrue,
  nextFalse,
  ...more,
});
const graph = (steps: object[], startStepId: string | null = 'a'): RunbookGraph =>
  runbookGraph.parse({ startStepId, steps });
const said = (checked: RunbookGraph) =>
  checkRunbook(checked).map((error) => `${error.path} ${error.reason.word}`);

describe('a graph', () => {
  it.each<[string, RunbookGraph, string[]]>([
    ['nothing at all', graph([], null), []],
    ['one step', graph([event('a')]), []],
    ['a start without steps', graph([]), ['startStepId why.runbook.noStart']],
    ['no start', graph([event('a')], null), ['startStepId why.runbook.noStart']],
    ['a start that is no step', graph([event('b')]), ['startStepId why.runbook.noStart']],
    ['two of one id', graph([event('a'), event('a')]), ['steps.1.stepId why.runbook.twice']],
    ['a way to nowhere', graph([event('a', 'x')]), ['steps.0.next why.runbook.dangling']],
    [
      'a branch with a plain way',
      graph([branch('a', null, null, { next: 'a' })]),
      ['steps.0.next why.runbook.noWay'],
    ],
    [
      'an event with two ways',
      graph([event('a', null, { nextTrue: 'a' })]),
      ['steps.0.nextTrue why.runbook.noWay'],
    ],
    ['a step that nothing leads to', graph([event('a'), event('b')]), ['steps.1 why.runbook.unreachable']],
    ['a step that leads to itself', graph([event('a', 'a')]), ['steps.0.maxVisits why.runbook.cycle']],
    ['a bounded step that leads to itself', graph([event('a', 'a', { maxVisits: 3 })]), []],
    [
      'a cycle behind a step',
      graph([event('a', 'b'), event('b', 'c'), branch('c', 'b', null)]),
      ['steps.1.maxVisits why.runbook.cycle', 'steps.2.maxVisits why.runbook.cycle'],
    ],
    [
      'a bounded cycle',
      graph([event('a', 'b'), event('b', 'c', { maxVisits: 2 }), branch('c', 'b', null)]),
      [],
    ],
    [
      'an unknown operator',
      graph([{ stepId: 'a', kind: 'operator', params: { operatorId: 'magic' } }]),
      ['steps.0.params.operatorId why.operator.unknown'],
    ],
    [
      'a parameter of an operator',
      graph([{ stepId: 'a', kind: 'operator', params: { operatorId: 'trim', params: {} } }]),
      ['steps.0.params.params.source why.param.missing'],
    ],
    [
      'an unknown condition',
      graph([branch('a', null, null, { params: { conditionId: 'maybe' } })]),
      ['steps.0.params.conditionId why.condition.unknown'],
    ],
    [
      'an action without one',
      graph([{ stepId: 'a', kind: 'action' }]),
      ['steps.0.params.actionId why.param.missing'],
    ],
    [
      'an event without a scope',
      graph([event('a', null, { params: { delta: 1 } })]),
      ['steps.0.params.scopeId why.param.missing'],
    ],
    [
      'a parameter of another kind',
      graph([event('a', null, { params: { scopeId, delta: 1, wait: true } })]),
      ['steps.0.params.wait why.param.unknown'],
    ],
  ])('%s', (_, checked, expected) => {
    expect(said(checked)).toEqual(expected);
  });
});

const ids = ['a', 'b', 'c', 'd', 'e'];
const way = fc.option(fc.constantFrom(...ids), { nil: null });
const graphs = fc
  .tuple(
    ...ids.map((id) =>
      fc
        .record({
          branches: fc.boolean(),
          one: way,
          two: way,
          maxVisits: fc.option(fc.constant(2), { nil: null }),
        })
        .map(({ branches, one, two, maxVisits }) =>
          branches ? branch(id, one, two, { maxVisits }) : event(id, one, { maxVisits }),
        ),
    ),
  )
  .map((steps) => graph(steps));

/** Brute-force check: whether a walk that visits no bounded step twice can run forever. */
function canRunForEver({ steps }: RunbookGraph): boolean {
  const ways = (id: string) => {
    const step = steps.find((one) => one.stepId === id)!;
    return (step.kind === 'branch' ? [step.nextTrue, step.nextFalse] : [step.next]).filter(
      (one) => one !== null,
    );
  };
  const free = (id: string) => steps.find((one) => one.stepId === id)!.maxVisits === null;
  let walks = steps.map((step) => step.stepId).filter(free);
  for (let length = 0; length <= steps.length; length += 1)
    walks = [...new Set(walks.flatMap(ways).filter(free))];
  return walks.length > 0;
}

it('finds a cycle without a bound exactly when a walk can go on for ever', () => {
  fc.assert(
    fc.property(graphs, (checked) => {
      const cycles = said(checked).some((one) => one.endsWith('why.runbook.cycle'));
      expect(cycles).toBe(canRunForEver(checked));
    }),
    { seed: 20260131, numRuns: 500 },
  );
});

describe('references to steps', () => {
  const actionId = '01900000-0000-7000-8000-000000000009';
  const act = (stepId: string, next: string | null = null) => ({
    stepId,
    kind: 'action',
    params: { actionId },
    next,
  });
  const outcome = (step: string) => ({ conditionId: 'step-outcome', params: { step } });
  const wide = (params: object, next: string | null = null) =>
    graph([act('a', 'b'), branch('b', next, null, { params }), ...(next ? [event(next)] : [])]);
  const said = (checked: RunbookGraph, body = '') => {
    const actions = new Map([[actionId, { kind: 'webhook', parameters: { url: 'https://a.test/', body } }]]);
    return checkRunbook(checked, actions).map(({ path, reason }) => [
      path,
      reason.word,
      reason.params?.stepId,
    ]);
  };

  it.each<[string, RunbookGraph, unknown[]]>([
    ['an earlier step', wide(outcome('a')), []],
    ['no step', wide(outcome('x')), [['steps.1.params.params.step', 'why.runbook.unknownStep', 'x']]],
    ['itself', wide(outcome('b')), [['steps.1.params.params.step', 'why.runbook.laterStep', 'b']]],
    ['a later step', wide(outcome('c'), 'c'), [['steps.1.params.params.step', 'why.runbook.laterStep', 'c']]],
    [
      'a path of no step',
      wide({ conditionId: 'boolean-compare', params: { source: 'steps["x"].output.body' } }),
      [['steps.1.params.params.source', 'why.runbook.unknownStep', 'x']],
    ],
    [
      'a template of no step, once',
      graph([
        {
          stepId: 'a',
          kind: 'operator',
          params: {
            operatorId: 'concatenate',
            params: {
              template: '{{#steps.x.output}}{{steps.x.output.body}}{{/steps.x.output}}',
              destination: 's',
            },
          },
        },
      ]),
      [['steps.0.params.params.template', 'why.runbook.unknownStep', 'x']],
    ],
    [
      'a severity name of no step',
      graph([event('a', null, { params: { scopeId, delta: 1, severityName: { path: 'steps.x.output' } } })]),
      [['steps.0.params.severityName.path', 'why.runbook.unknownStep', 'x']],
    ],
    [
      'a step of the same cycle',
      graph([
        { ...act('a', 'b'), maxVisits: 2 },
        branch('b', 'c', null, { params: outcome('c') }),
        event('c', 'a'),
      ]),
      [],
    ],
  ])('of %s', (_, given, expected) => expect(said(given)).toEqual(expected));

  it('in the templates of actions', () => {
    const body = '{"text":"{{steps.a.output.body}} {{steps.b.output}} {{message.content.body}}"}';
    expect(said(graph([event('a', 'b'), act('b')]), body)).toEqual([
      ['steps.1.params.actionId', 'why.runbook.laterStep', 'b'],
    ]);
    expect(checkRunbook(graph([event('a', 'b'), act('b')]))).toEqual([]);
  });
});
