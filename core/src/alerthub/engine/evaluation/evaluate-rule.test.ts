import { describe, expect, it } from 'vitest';
import { FlowData } from '../data/flow-data.ts';
import { FlowError } from '../errors/flow-error.ts';
import {
  checkRule,
  compileRule,
  evaluateRule,
  type RuleSource,
  unevaluatedDecision,
} from './evaluate-rule.ts';
import { ScopeIndex } from './scope-index.ts';

const scopes = new ScopeIndex(
  Object.entries({
    web: { env: 'prod', host: 'web1' },
    db: { env: 'prod', host: 'db1', note: '' },
    lab: { env: 'test' },
    bare: {},
  }).map(([scopeId, attributes]) => ({
    ...{ scopeId, displayName: `The ${scopeId}` },
    attributes: new Map(Object.entries(attributes)),
  })),
);

const rule = (part: Partial<RuleSource>): RuleSource => ({
  ruleId: 'r',
  displayName: 'Rule',
  receiveSlotId: 's',
  disabled: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  flow: { steps: [] },
  eventParams: [],
  conditionalEventParams: [],
  ...part,
});

const data = (): FlowData =>
  new FlowData({
    message: { host: 'web1', empty: ' ', long: 'x'.repeat(65), bad: 'a\u0007b', n: 5, env: 'prod' },
  });
const literal = { literal: 'default' };

describe('steps', () => {
  const step = (operatorId: string, params: Record<string, unknown>) => ({ operatorId, params });
  const host = step('text-compare', { source: 'message.host', comparison: 'equals', value: 'web1' });
  const other = step('text-compare', { source: 'message.host', comparison: 'equals', value: 'db1' });
  const write = step('concatenate', { template: '{{message.host}}!', destination: 'made' });
  const read = step('text-compare', { source: 'made', comparison: 'equals', value: 'web1!' });
  const zero = step('arithmetic', { source: 'message.n', operation: 'divide', value: 0, destination: 'x' });

  it.each<[string, RuleSource['flow']['steps'], string, string[]]>([
    ['no step matches', [], 'matched', []],
    ['steps that pass match', [host, write, read], 'matched', ['passed', 'passed', 'passed']],
    ['a test that stops ends the flow', [host, other, write], 'unmatched', ['passed', 'stopped']],
    ['a step that fails fails the rule', [zero, host], 'failed', ['failed']],
  ])('%s', (_name, steps, outcome, outcomes) => {
    const {
      outcome: decided,
      steps: made,
      changes,
    } = evaluateRule(
      compileRule(
        rule({ flow: { steps }, eventParams: [{ scopeId: 'web', severityName: literal, delta: 1 }] }),
      ),
      data(),
      scopes,
    );
    expect(decided).toBe(outcome);
    expect(made.map((one) => one.outcome)).toEqual(outcomes);
    expect(changes).toEqual(
      outcome === 'matched' ? [{ scopeId: 'web', severityName: 'default', delta: 1 }] : [],
    );
  });
  it('says when a matched rule raises nothing', () => {
    expect(evaluateRule(compileRule(rule({})), data(), scopes).notes).toEqual([{ word: 'why.event.none' }]);
  });
  it('does not run when disabled', () => {
    expect(unevaluatedDecision(compileRule(rule({ disabled: true, flow: { steps: [host] } })))).toMatchObject(
      {
        outcome: 'disabled',
        steps: [],
      },
    );
  });
});

describe('severity names and scopes', () => {
  it.each<[string, string, string[], string[]]>([
    ['a name from the data', 'message.host', ['web1'], []],
    ['a number as a name', 'message.n', ['5'], []],
    ['an empty name', 'message.empty', [], ['why.event.noName']],
    ['a name that is not there', 'message.gone', [], ['why.event.noName']],
    ['a name that is too long', 'message.long', [], ['why.event.badName']],
    ['a name with control characters', 'message.bad', [], ['why.event.badName']],
  ])('%s', (_name, path, names, notes) => {
    const compiled = compileRule(
      rule({ eventParams: [{ scopeId: 'web', severityName: { path }, delta: 2 }] }),
    );
    const { outcome, notes: told, changes } = evaluateRule(compiled, data(), scopes);
    expect(outcome).toBe('matched');
    expect(changes.map((change) => change.severityName)).toEqual(names);
    expect(told.map((note) => note.word)).toEqual(notes);
  });
  it('says when a scope is gone', () => {
    const compiled = compileRule(
      rule({ eventParams: [{ scopeId: 'gone', severityName: literal, delta: 2 }] }),
    );
    expect(evaluateRule(compiled, data(), scopes)).toMatchObject({
      changes: [],
      notes: [{ word: 'why.event.noScope', params: { scopeId: 'gone' } }],
    });
  });

  type Attributes = RuleSource['conditionalEventParams'][number]['attributes'];
  it.each<[Attributes, string[], string[]]>([
    [[{ name: 'env', op: 'eq', value: 'prod' }], ['web', 'db'], []],
    [
      [
        { name: 'env', op: 'eq', value: { path: 'message.env' } },
        { name: 'host', op: 'sw', value: 'web' },
      ],
      ['web'],
      [],
    ],
    [[{ name: 'env', op: 'ne', value: 'prod' }], ['lab', 'bare'], []],
    [[{ name: 'host', op: 'co', value: 'b1' }], ['web', 'db'], []],
    [
      [
        { name: 'host', op: 'ew', value: '1' },
        { name: 'env', op: 'eq', value: 'test' },
      ],
      [],
      ['why.event.noScopes'],
    ],
    [[{ name: 'note', op: 'pr', value: '' }], [], ['why.event.noScopes']],
    [[{ name: 'env', op: 'pr', value: '' }], ['web', 'db', 'lab'], []],
    [[{ name: 'host', op: 'eq', value: { path: 'message.gone' } }], [], ['why.event.noAttributeValue']],
    [[{ name: 'constructor', op: 'eq', value: 'x' }], [], ['why.event.noScopes']],
  ])('%j', (attributes, scopeIds, notes) => {
    const compiled = compileRule(
      rule({ conditionalEventParams: [{ attributes, severityName: literal, delta: 1 }] }),
    );
    const { notes: told, changes } = evaluateRule(compiled, data(), scopes);
    expect(changes.map((change) => !change.newScope && change.scopeId)).toEqual(scopeIds);
    expect(told.map((note) => note.word)).toEqual(notes);
    const possible = compiled.events[0]!.selector!.possibleScopes(scopes);
    for (const scopeId of scopeIds) expect(possible).toContain(scopeId);
  });

  it.each<[Attributes, string[]]>([
    [[{ name: 'env', op: 'eq', value: { path: 'message.env' } }], ['web', 'db', 'lab']],
    [[{ name: 'env', op: 'ne', value: { path: 'message.env' } }], ['web', 'db', 'lab', 'bare']],
    [[{ name: 'env', op: 'pr', value: '' }], ['web', 'db', 'lab']],
  ])('%j can only select scopes that have the attribute, unless it must differ', (attributes, expected) => {
    const compiled = compileRule(
      rule({ conditionalEventParams: [{ attributes, severityName: literal, delta: 1 }] }),
    );
    expect(compiled.events[0]!.selector!.possibleScopes(scopes)).toEqual(expected);
  });
});

describe('refusals', () => {
  it('names every field', () => {
    const bad = rule({
      flow: {
        steps: [
          { operatorId: 'trim', params: { source: 'a', destination: 'b' } },
          { operatorId: 'nope', params: {} },
          { operatorId: 'regex-match', params: { source: 'a', pattern: '(' } },
        ],
      },
      conditionalEventParams: [
        { attributes: [{ name: 'a', op: 'eq', value: { path: 'x..y' } }], severityName: literal, delta: 1 },
      ],
    });
    expect(checkRule(bad).map((error) => error.path)).toEqual([
      'flow.steps.1.operatorId',
      'flow.steps.2.params.pattern',
      'conditionalEventParams.0.attributes.0.value.path',
    ]);
    expect(() => compileRule(bad)).toThrow(FlowError);
  });
  it.each<[Partial<RuleSource>, string]>([
    [
      { conditionalEventParams: [{ attributes: [], severityName: literal, delta: 1 }] },
      'conditionalEventParams.0.attributes',
    ],
    [
      { eventParams: [{ scopeId: 'web', severityName: { path: '' }, delta: 1 }] },
      'eventParams.0.severityName.path',
    ],
  ])('%j', (part, path) => {
    expect(checkRule(rule(part)).map((error) => error.path)).toEqual([path]);
  });
});
