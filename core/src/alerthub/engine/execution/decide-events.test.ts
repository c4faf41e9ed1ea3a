import { describe, expect, it } from 'vitest';
import { compileConfig, requiredHistory, touchedScopes } from '../evaluation/compile-config.ts';
import { decideEvents } from './decide-batch.ts';
import { batchInput, rule, scope, trigger, webhookAction } from './test-fixtures.ts';

describe('decideEvents', () => {
  it('applies requested changes and resets', () => {
    const state = new Map([
      [
        'one',
        new Map([
          ['a', 7],
          ['b', 0],
        ]),
      ],
    ]);
    const result = decideEvents({
      ...batchInput(
        { triggers: [trigger('t')], actions: [webhookAction('{{message.content.body}}|{{event.source}}')] },
        { state },
      ),
      changes: [
        { scopeId: 'one', severityName: 'a', change: { to: 0 }, source: 'reset' },
        { scopeId: 'one', severityName: 'b', change: { to: 0 }, source: 'reset' },
        { scopeId: 'one', severityName: 'c', change: { delta: 2 }, source: 'api' },
        { scopeId: 'gone', severityName: 'c', change: { delta: 2 }, source: 'api' },
      ],
    });
    expect(result.notes).toEqual([{ word: 'why.event.noScope', params: { scopeId: 'gone' } }]);
    expect(
      result.events.map(({ severityName, delta, severity, source, status, ruleId, messageId }) => ({
        severityName,
        delta,
        severity,
        source,
        status,
        ruleId,
        messageId,
      })),
    ).toEqual([
      {
        severityName: 'a',
        delta: -7,
        severity: 0,
        source: 'reset',
        status: 'normal',
        ruleId: null,
        messageId: null,
      },
      {
        severityName: 'c',
        delta: 2,
        severity: 2,
        source: 'api',
        status: 'warning',
        ruleId: null,
        messageId: null,
      },
    ]);
    expect(
      result.firings.map(({ request, missing }) => [(request as { body: string }).body, missing]),
    ).toEqual([
      ['|reset', ['message.content.body']],
      ['|api', ['message.content.body']],
    ]);
  });
});

describe('the cause of a change', () => {
  const cause = { kind: 'person', userId: 'u', name: 'Hana' } as const;
  const change = { scopeId: 'one', severityName: 'a', change: { delta: 1 }, source: 'api' } as const;
  it('is kept with its event', () => {
    const result = decideEvents({ ...batchInput({}), changes: [{ ...change, cause }, change] });
    expect(result.events.map((event) => event.cause)).toEqual([cause, undefined]);
  });
  it('does not reach the templates of actions', () => {
    const rows = {
      triggers: [trigger('t')],
      actions: [webhookAction('{{event.cause.name}}|{{event.source}}')],
    };
    const { firings } = decideEvents({ ...batchInput(rows), changes: [{ ...change, cause }] });
    expect(firings.map(({ request, missing }) => [(request as { body: string }).body, missing])).toEqual([
      ['|api', ['event.cause.name']],
    ]);
  });
});

describe('what a batch needs', () => {
  const literal = { literal: 'default' };
  const config = compileConfig({
    scopes: [
      scope('one'),
      scope('prod', { env: 'prod' }),
      scope('test', { env: 'test' }),
      scope('far', { env: 'prod' }),
    ],
    rules: [
      rule('r', {
        conditionalEventParams: [
          { attributes: [{ name: 'env', op: 'eq', value: 'prod' }], severityName: literal, delta: 1 },
        ],
      }),
      rule('off', { disabled: true, eventParams: [{ scopeId: 'test', severityName: literal, delta: 1 }] }),
      rule('path', {
        receiveSlotId: 'open',
        eventParams: [],
        conditionalEventParams: [
          {
            attributes: [{ name: 'env', op: 'eq', value: { path: 'message.content.body' } }],
            severityName: literal,
            delta: 1,
          },
        ],
      }),
    ],
    triggers: [
      trigger('t', {
        conditions: [
          { conditionId: 'recent-actions', params: { seconds: 60, countComparison: 'eq', count: 0 } },
        ],
      }),
      trigger('u', {
        conditions: [
          {
            conditionId: 'recent-events',
            params: {
              seconds: 90,
              value: 'delta',
              comparison: 'eq',
              number: 1,
              countComparison: 'ge',
              count: 2,
            },
          },
        ],
      }),
    ],
    actions: [],
    space: {},
  });
  it.each<[string[], string[]]>([
    [['slot'], ['one', 'far', 'prod']],
    [['open'], ['far', 'prod', 'test']],
    [['none'], []],
  ])('messages of %j touch %j', (slots, scopeIds) => {
    expect(
      [
        ...touchedScopes(
          config,
          slots.map((receiveSlotId) => ({ receiveSlotId })),
        ),
      ].sort(),
    ).toEqual([...scopeIds].sort());
  });
  it('names the history of the triggers', () => {
    expect(requiredHistory(config, ['one', 'prod'])).toEqual({
      eventSeconds: new Map([['one', 90]]),
      actionSeconds: new Map([['t', 60]]),
      messageSeconds: new Map(),
    });
  });
});
