import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConditionalEventParam } from '../../flow-schema.ts';
import { decideBatch } from '../execution/decide-batch.ts';
import { batchInput, message, rule, scope } from '../execution/test-fixtures.ts';
import { maxPossibleScopes, scopesOfMessages } from './scopes-of-messages.ts';

const hosts = Array.from({ length: maxPossibleScopes + 20 }, (_, index) => `h${index}`);
const scopes = hosts.map((host, index) => scope(host, { host, rack: `r${index % 10}`, site: 'tokyo' }));
const selecting = (param: Partial<ConditionalEventParam>, forEach: string | null = '$[*]') =>
  rule('selecting', {
    forEach,
    eventParams: [],
    conditionalEventParams: [{ attributes: [], severityName: { literal: 'default' }, delta: 1, ...param }],
  });
const byAttribute = (name: string, op: 'eq' | 'sw' | 'ne' = 'eq'): Partial<ConditionalEventParam> => ({
  attributes: [{ name, op, value: { path: `element.${name}` } }],
});
const affected = (rules: ReturnType<typeof rule>[], bodies: unknown[], ofScopes = scopes) => {
  const { config } = batchInput({ rules, scopes: ofScopes });
  const messages = bodies.map((body, index) => message(`m${index}`, body));
  const { touched, withFingerprints } = scopesOfMessages(config, messages, () => messages);
  return { touched: [...touched].sort(), withFingerprints: [...withFingerprints].sort() };
};

describe('scopes of messages', () => {
  it.each<[string, Parameters<typeof affected>[0], unknown[], string[]]>([
    [
      'selected by an attribute',
      [selecting(byAttribute('host'))],
      [[{ host: 'h7' }], [{ host: 'h3' }]],
      ['h3', 'h7'],
    ],
    [
      'selected by name',
      [selecting({ scopeName: { path: 'element.name' } })],
      [[{ name: 'Scope h9' }]],
      ['h9'],
    ],
    [
      'of a message without elements',
      [selecting({ scopeName: { path: 'message.content.data.name' } }, null)],
      [{ name: 'Scope h1' }],
      ['h1'],
    ],
    [
      'named by the rule',
      [rule('r', { eventParams: [{ scopeId: 'h5', severityName: { literal: 'a' }, delta: 1 }] })],
      [{}],
      ['h5'],
    ],
    ['to be created', [selecting({ ...byAttribute('host'), createScope: true })], [[{ host: 'new' }]], []],
    ['of no data', [selecting(byAttribute('host'))], ['text'], []],
    ['of a query that fails', [selecting(byAttribute('host'), '$..[?@.a==@.b]')], [{ a: 1 }], []],
    [
      'of a rule that is disabled',
      [{ ...selecting(byAttribute('host')), disabled: true }],
      [[{ host: 'h1' }]],
      [],
    ],
  ])('%s', (_name, rules, bodies, touched) => expect(affected(rules, bodies).touched).toEqual(touched));

  it('are all that could be selected where these are few, without reading messages', () => {
    const few = scopes.slice(0, maxPossibleScopes);
    const { config } = batchInput({ rules: [selecting(byAttribute('host'))], scopes: few });
    const { touched } = scopesOfMessages(config, [{ receiveSlotId: 'slot' }], () => expect.unreachable());
    expect(touched.size).toBe(few.length);
  });

  it('have fingerprints where the change has one', () => {
    const set = selecting({
      ...byAttribute('host'),
      ...{ mode: 'set', delta: undefined, value: 1, fingerprint: { path: 'element.id' } },
    });
    const { touched, withFingerprints } = affected(
      [set, selecting(byAttribute('rack'))],
      [[{ host: 'h7', id: 'a', rack: 'r3' }]],
    );
    expect(withFingerprints).toEqual(['h7']);
    expect(touched).toContain('h13');
    expect(touched).toHaveLength(13);
  });

  it('contain those of every event', () => {
    const value = fc.constantFrom('h1', 'h22', 'h119', 'r4', 'r', 'new', '');
    const element = fc.record({
      host: value,
      rack: value,
      name: fc.constantFrom('Scope h1', 'Scope new', 'other'),
    });
    const param = fc.oneof(
      fc.constantFrom(byAttribute('host'), byAttribute('rack', 'sw'), byAttribute('host', 'ne')),
      fc.constant<Partial<ConditionalEventParam>>({ ...byAttribute('host'), createScope: true }),
      fc.constant<Partial<ConditionalEventParam>>({ scopeName: { path: 'element.name' }, createScope: true }),
    );
    fc.assert(
      fc.property(
        fc.array(param, { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(element, { maxLength: 4 }), { maxLength: 4 }),
        (params, bodies) => {
          const rules = params.map((one, index) => ({ ...selecting(one), ruleId: `r${index}` }));
          const input = batchInput({ rules, scopes });
          const messages = bodies.map((body, index) => message(`m${index}`, body));
          const { touched } = scopesOfMessages(input.config, messages, () => messages);
          const { events, createdScopes } = decideBatch({ ...input, messages });
          const created = new Set(createdScopes.map((one) => one.scope.source.scopeId));
          const changed = new Set(events.map(({ scopeId }) => scopeId).filter((id) => !created.has(id)));
          expect([...changed].filter((id) => !touched.has(id))).toEqual([]);
          // Nothing is loaded in vain either, unless a rule could select few scopes.
          expect([...touched].filter((id) => !changed.has(id))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
