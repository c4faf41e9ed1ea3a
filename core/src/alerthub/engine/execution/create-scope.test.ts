import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConditionalEventParam } from '../../flow-schema.ts';
import { compileConfig } from '../evaluation/compile-config.ts';
import { checkRule } from '../evaluation/evaluate-rule.ts';
import { ReplayComparison } from '../replay/compare-replays.ts';
import type { BatchResult } from './batch.ts';
import { extendConfig } from './config-extension.ts';
import { decideBatch } from './decide-batch.ts';
import { runRuleTest, withOnlyRule } from './run-rule-test.ts';
import { batchInput, message, now, rule, scope } from './test-fixtures.ts';

const host = { path: 'element.host' };
const byHost: ConditionalEventParam = {
  attributes: [],
  scopeName: host,
  createScope: true,
  severityName: { literal: 'default' },
  delta: 1,
};
const hostRule = (param: Partial<ConditionalEventParam>, ruleId = 'r') =>
  rule(ruleId, {
    forEach: '$[*]',
    eventParams: [],
    conditionalEventParams: [{ ...byHost, ...param }],
  });
const decide = (param: Partial<ConditionalEventParam>, elements: object[], rows = {}) => {
  const rules = [hostRule(param)];
  const result = decideBatch({ ...batchInput({ rules, ...rows }), messages: [message('m', elements)] });
  const notes = result.messages[0]!.rules[0]!.elements!.map((element) =>
    element.notes.map(({ word }) => word),
  );
  return { result, notes };
};
const created = ({ createdScopes }: BatchResult) =>
  createdScopes.map(({ scope: { source } }) => [source.displayName, source.attributes]);

describe('a scope selected by display name', () => {
  it.each<[NonNullable<ConditionalEventParam['scopeName']>, object, string[]]>([
    [host, { host: 'Scope one' }, []],
    [host, { host: ' Scope one ' }, []],
    [{ path: '$.element[?@=="Scope one"]' }, { host: 'Scope one' }, []],
    [{ template: 'Scope {{element.host}}' }, { host: 'one' }, []],
    [host, { host: 'scope one' }, ['why.event.noScopeNamed']],
    [host, { host: '' }, ['why.event.noScopeName']],
    [host, {}, ['why.event.noScopeName']],
    [{ template: 'Scope {{element.host}}' }, {}, ['why.event.noScopeName']],
    [host, { host: 'x'.repeat(31) }, ['why.event.badScopeName']],
    [host, { host: 'a\u0007b' }, ['why.event.noScopeNamed']],
    [host, { host: 'Scope\r\none\u202c' }, []],
    [{ template: 'Scope\u2028{{element.host}}' }, { host: 'one' }, []],
    [host, { host: '\u202e\n' }, ['why.event.noScopeName']],
    [host, { host: 'a\ud800' }, ['why.event.badScopeName']],
  ])('by %j of %j', (scopeName, element, notes) => {
    const { result, notes: given } = decide({ scopeName, createScope: false }, [element]);
    expect(given).toEqual([notes]);
    expect(result.events.map(({ scopeId }) => scopeId)).toEqual(notes.length === 0 ? ['one'] : []);
    expect(result.createdScopes).toEqual([]);
  });

  it('has to match the conditions as well', () => {
    const scopes = [scope('one', { env: 'prod' }), scope('two', { env: 'test' })];
    const attributes = [{ name: 'env', op: 'eq' as const, value: 'prod' }];
    const elements = [{ host: 'Scope one' }, { host: 'Scope two' }];
    const { result, notes } = decide({ attributes, createScope: false }, elements, { scopes });
    expect(result.events.map(({ scopeId }) => scopeId)).toEqual(['one']);
    expect(notes).toEqual([[], ['why.event.noScopeNamedWith']]);
  });
});

describe('a scope created on first sight', () => {
  it.each([
    [{}, ['web 01']],
    [{ scopeName: null, attributes: [{ name: 'host', op: 'eq' as const, value: host }] }, ['web 01']],
  ])('has a name without what a name must not have, and is found again: %j', (param, names) => {
    const overridden = 'web\u202e01';
    const { result, notes } = decide(param, [{ host: overridden }, { host: overridden }]);
    expect(created(result).map(([name]) => name)).toEqual(names);
    expect(result.events).toHaveLength(2);
    expect(notes).toEqual([['why.event.scopeCreated'], []]);
  });

  it('takes the events of all further elements', () => {
    const { result, notes } = decide({}, [{ host: 'web' }, { host: 'db' }, { host: 'web' }]);
    expect(created(result)).toEqual([
      ['web', []],
      ['db', []],
    ]);
    expect(notes).toEqual([['why.event.scopeCreated'], ['why.event.scopeCreated'], []]);
    const [web, db] = result.createdScopes.map((one) => one.scope.source.scopeId);
    expect(result.events.map(({ scopeId, severity }) => [scopeId, severity])).toEqual([
      [web, 1],
      [db, 1],
      [web, 2],
    ]);
    expect(result.createdScopes[0]).toMatchObject({ receiveSlotId: 'slot', ruleId: 'r' });
  });

  it('has the default severity, also if the event changes another one', () => {
    const { result } = decide({ severityName: { literal: 'disk' } }, [{ host: 'web' }]);
    expect(result.severities.map(({ name, value }) => [name, value])).toEqual([
      ['default', 0],
      ['disk', 1],
    ]);
  });

  it('is named by the first condition and has the attributes of all', () => {
    const attributes = [
      { name: 'host', op: 'eq' as const, value: host },
      { name: 'env', op: 'eq' as const, value: 'prod' },
    ];
    const { result, notes } = decide({ attributes, scopeName: null }, [{ host: 'web' }, { host: 'web' }]);
    expect(created(result)).toEqual([
      [
        'web',
        [
          { name: 'host', value: 'web' },
          { name: 'env', value: 'prod' },
        ],
      ],
    ]);
    expect(notes).toEqual([['why.event.scopeCreated'], []]);
    expect(result.events).toHaveLength(2);
  });

  it('is created by an event that sets a severity', () => {
    const { result } = decide({ mode: 'set', delta: undefined, value: 3 }, [{ host: 'web' }]);
    expect(created(result)).toEqual([['web', []]]);
    expect(result.events.map(({ severity }) => severity)).toEqual([3]);
  });

  it('is not created for events that lower a severity', () => {
    for (const change of [
      { delta: -1 },
      { delta: 0 },
      { mode: 'set' as const, delta: undefined, value: 0 },
    ]) {
      const { result, notes } = decide(change as Partial<ConditionalEventParam>, [{ host: 'web' }]);
      expect(notes).toEqual([['why.event.nothingToLower']]);
      expect(result.createdScopes).toEqual([]);
    }
  });

  it.each<[string, Partial<ConditionalEventParam>, object, string]>([
    ['the name is taken', { scopeName: null }, { host: 'Scope one' }, 'why.event.scopeNameTaken'],
    ['the name is too long', { scopeName: null }, { host: 'x'.repeat(31) }, 'why.event.badScopeName'],
    [
      'an attribute is too long',
      { scopeName: { template: 'web' } },
      { host: 'x'.repeat(2049) },
      'why.event.badNewAttribute',
    ],
    [
      'an attribute has control characters',
      { scopeName: { template: 'web' } },
      { host: 'a\u0000' },
      'why.event.badNewAttribute',
    ],
  ])('is not created if %s', (_name, param, element, note) => {
    const attributes = [{ name: 'host', op: 'eq' as const, value: host }];
    const { result, notes } = decide({ ...param, attributes }, [element]);
    expect(notes).toEqual([[note]]);
    expect(result).toMatchObject({ createdScopes: [], events: [] });
  });

  it('is created once by two events of a rule, unless they differ in an attribute', () => {
    const withEnv = (value: string) => ({
      ...byHost,
      attributes: [{ name: 'env', op: 'eq' as const, value }],
    });
    const rules = [
      rule('r', {
        forEach: '$[*]',
        eventParams: [],
        conditionalEventParams: [withEnv('prod'), withEnv('prod'), withEnv('test')],
      }),
    ];
    const result = decideBatch({ ...batchInput({ rules }), messages: [message('m', [{ host: 'web' }])] });
    expect(result.createdScopes).toHaveLength(1);
    expect(result.events.map(({ severity }) => severity)).toEqual([1, 2]);
    const { notes } = result.messages[0]!.rules[0]!.elements![0]!;
    expect(notes.map(({ word }) => word)).toEqual(['why.event.scopeCreated', 'why.event.scopeNameTaken']);
  });

  it('is not created beyond the limit of the receive slot', () => {
    const counts = (count: number) => ({ createdScopeCounts: new Map([['slot', count]]) });
    const elements = [{ host: 'web' }, { host: 'db' }, { host: 'web' }];
    const { result, notes } = decide({}, elements, counts(999));
    expect(notes).toEqual([['why.event.scopeCreated'], ['why.event.tooManyScopes'], []]);
    expect(result.fullSlots).toEqual(['slot']);
    expect(decide({}, elements, counts(998)).result.fullSlots).toEqual([]);
  });

  it('is the same whether messages are decided together or one by one', () => {
    const hosts = fc.array(fc.constantFrom('web', 'db', 'mail', 'Scope one', ''), { maxLength: 8 });
    fc.assert(
      fc.property(hosts, hosts, (first, second) => {
        const rules = [
          hostRule({}),
          rule('plain', {
            ...hostRule({ scopeName: { path: 'message.content.data[0].host' } }),
            forEach: null,
            ruleId: 'plain',
          }),
        ];
        const input = batchInput({ rules }, { nextScopeId: (name) => `new ${name}` });
        const messages = [first, second].map((names, index) =>
          message(
            `m${index}`,
            names.map((name) => ({ host: name })),
          ),
        );
        const outcome = (result: BatchResult) =>
          result.events.map(({ scopeId, severity }) => `${scopeId} ${severity}`);
        const together = decideBatch({ ...input, messages });
        const one = decideBatch({ ...input, messages: [messages[0]!] });
        const extension = extendConfig(input.config);
        for (const made of one.createdScopes) extension.add(made);
        const state = new Map<string, Map<string, number>>();
        for (const { scopeId, name, value } of one.severities)
          state.set(scopeId, (state.get(scopeId) ?? new Map<string, number>()).set(name, value));
        const two = decideBatch({ ...input, config: extension.config, state, messages: [messages[1]!] });
        expect([...outcome(one), ...outcome(two)]).toEqual(outcome(together));
        expect([...created(one), ...created(two)]).toEqual(created(together));
      }),
    );
  });
});

describe('checks of a rule', () => {
  it.each<[Partial<ConditionalEventParam>, string]>([
    [{ attributes: [], scopeName: null }, 'conditionalEventParams.0.attributes'],
    [{ attributes: [{ name: 'a', op: 'sw', value: 'b' }] }, 'conditionalEventParams.0.attributes.0.op'],
    [{ scopeName: { template: '{{#a}}' } }, 'conditionalEventParams.0.scopeName.template'],
    [{ scopeName: { path: 'a[' } }, 'conditionalEventParams.0.scopeName.path'],
  ])('refuse %j', (param, path) => {
    expect(checkRule(hostRule(param)).map((error) => error.path)).toEqual([path]);
  });
});

describe('without effect', () => {
  it('a test of a rule names the scope that it would create', () => {
    const input = batchInput({});
    const config = withOnlyRule(input.config, hostRule({}));
    const [tested] = runRuleTest({
      ...input,
      config,
      messages: [message('m', [{ host: 'web' }])],
      slotName: null,
    });
    expect(tested!.why.events.map(({ scopeName }) => scopeName)).toEqual(['web']);
  });

  it('a replay keeps created scopes, with the same id in both runs', () => {
    const settings = (delta: number) =>
      compileConfig({
        ...{ scopes: [scope('one')], triggers: [], actions: [], space: {} },
        rules: [hostRule({}), hostRule({ scopeName: { template: 'other {{element.host}}' }, delta }, 's')],
      });
    const at = Date.parse(now);
    const replay = new ReplayComparison({
      ...{ before: settings(1), after: settings(2), scopeIds: new Set<string>(), since: at, until: at + 10 },
      ...{ state: new Map(), contributions: new Map(), lastEvents: new Map() },
    });
    for (const [index, hostName] of ['web', 'db', 'web'].entries())
      replay.step({ id: `m${index}`, at: at + index, message: message(`m${index}`, [{ host: hostName }]) });
    const report = replay.finish(at + 10);
    expect(report.createdScopes.map(({ displayName }) => displayName)).toEqual([
      'web',
      'other web',
      'db',
      'other db',
    ]);
    expect(report.events).toEqual({ same: 3, added: 0, lost: 0, moved: 3 });
    expect(report.differences.map(({ after }) => after?.severity)).toEqual([2, 2, 4]);
  });
});
