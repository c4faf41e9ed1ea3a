// Random configurations, histories and messages for the differential test of the engine.
import fc from 'fast-check';
import type { ConfigRows } from '../evaluation/compile-config.ts';

/** Time of the first message, in milliseconds since 1970. */
export const nowMs = Date.parse('2026-01-02T03:04:05.000Z');
const slots = ['s1', 's2'] as const;
export const scopeIds = ['a', 'b', 'c'] as const;
const levels = ['ok', 'warn', 'crit', ''] as const;
const comparisons = ['eq', 'ne', 'ge', 'le', 'gt', 'lt'] as const;

export type Comparison = (typeof comparisons)[number];

/** What a rule reads: of the message, or of one element of its list. */
export interface ElementBody {
  level?: string;
  n?: number | string;
  env?: string;
  name?: string;
  id?: string;
}

export interface ScenarioEvent {
  scopeId: string;
  at: number;
  delta: number;
  before: number;
  latest: number;
  severityName: string;
}

const comparison = fc.constantFrom(...comparisons);
const value = fc.constantFrom('delta', 'before', 'latest');
const elementFields = {
  level: fc.constantFrom(...levels),
  n: fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom('3', 'x')),
  env: fc.constantFrom('prod', 'test', 'none'),
  name: fc.constantFrom('disk', 'cpu', ' '),
  id: fc.constantFrom('x', 'y', ''),
};
const optional = { requiredKeys: [], noNullPrototype: true } as { requiredKeys: []; noNullPrototype: true };
const body = fc.record(
  { ...elementFields, list: fc.array(fc.record(elementFields, optional), { maxLength: 4 }) },
  optional,
);
const step = fc.oneof(
  fc.record({
    operatorId: fc.constant('text-compare'),
    params: fc.record({
      source: fc.constant('message.content.data.level'),
      comparison: fc.constantFrom('equals', 'notEquals', 'contains'),
      value: fc.constantFrom('ok', 'crit', 'r'),
    }),
  }),
  fc.record({
    operatorId: fc.constant('number-compare'),
    params: fc.record({
      source: fc.constant('message.content.data.n'),
      comparison,
      value: fc.integer({ min: -2, max: 5 }),
    }),
  }),
);
const severityName = fc.oneof(
  fc.constantFrom({ literal: 'default' }, { literal: 'disk' }),
  fc.constant({ path: 'message.content.data.name' }),
);
const delta = fc.integer({ min: -3, max: 4 });
/** How an event changes a severity. */
export interface ScenarioChange {
  mode?: 'add' | 'set';
  delta?: number;
  value?: number;
  fingerprint?: { path: string } | null;
}
const setMode = fc.constant('set' as const);
const level = fc.constantFrom(0, 1, 3);
const change: fc.Arbitrary<ScenarioChange> = fc.oneof(
  fc.record({ delta }),
  fc.record({ delta }),
  fc.record({ mode: setMode, value: level }),
  fc.record({
    mode: setMode,
    value: level,
    fingerprint: fc.constantFrom({ path: 'message.content.data.id' }, { path: '$.message.content.data.id' }),
  }),
);
/** The fields of a change next to others. */
const withChange = <T extends object>(other: fc.Arbitrary<T>) =>
  fc.tuple(other, change).map(([fields, how]) => ({ ...fields, ...how }));
const ruleRow = fc.record({
  receiveSlotId: fc.constantFrom(...slots),
  disabled: fc.constantFrom(false, false, false, true),
  forEach: fc.constantFrom(null, '$.list[*]'),
  steps: fc.array(step, { maxLength: 2 }),
  eventParams: fc.array(
    withChange(fc.record({ scopeId: fc.constantFrom(...scopeIds, 'gone'), severityName })),
    { maxLength: 2 },
  ),
  conditionalEventParams: fc.array(
    withChange(
      fc.record({
        attributes: fc.array(
          fc.record({
            name: fc.constant('env'),
            op: fc.constantFrom('eq' as const, 'ne' as const, 'pr' as const),
            value: fc.oneof(
              fc.constantFrom('prod', 'test'),
              fc.constant({ path: 'message.content.data.env' }),
            ),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        severityName,
      }),
    ),
    { maxLength: 1 },
  ),
});
const condition = fc.oneof(
  fc.record({
    conditionId: fc.constant('severity-changed'),
    params: fc.record({ direction: fc.constantFrom('up', 'down') }),
  }),
  fc.record({
    conditionId: fc.constant('event-value'),
    params: fc.record({ value, comparison, number: fc.integer({ min: -2, max: 4 }) }),
  }),
  fc.record({
    conditionId: fc.constant('recent-events'),
    params: fc.record({
      seconds: fc.constantFrom(10, 100),
      value,
      comparison,
      number: fc.integer({ min: -1, max: 3 }),
      countComparison: comparison,
      count: fc.integer({ min: 0, max: 4 }),
    }),
  }),
  fc.record({
    conditionId: fc.constant('recent-actions'),
    params: fc.record({
      seconds: fc.constantFrom(10, 100),
      countComparison: comparison,
      count: fc.integer({ min: 0, max: 2 }),
    }),
  }),
  fc.record({
    conditionId: fc.constant('severity-name'),
    params: fc.record({ comparison: fc.constantFrom('eq', 'ne'), name: fc.constantFrom('disk', 'default') }),
  }),
  fc.record({
    conditionId: fc.constant('scope-status'),
    params: fc.record({
      when: fc.constantFrom('before', 'after'),
      comparison: fc.constantFrom('eq', 'ne'),
      status: fc.constantFrom('normal', 'warning', 'incident'),
    }),
  }),
);
const lateSeconds = fc.constantFrom(10, 60);
const lateCondition = fc.oneof(
  fc.record({
    conditionId: fc.constant('event-value-after'),
    params: fc.record({ seconds: lateSeconds, value, comparison, number: fc.integer({ min: -1, max: 3 }) }),
  }),
  fc.record({
    conditionId: fc.constant('severity-after'),
    params: fc.record({
      seconds: lateSeconds,
      name: fc.constantFrom('disk', 'default'),
      comparison,
      number: fc.integer({ min: 0, max: 4 }),
    }),
  }),
  fc.record({
    conditionId: fc.constant('scope-status-after'),
    params: fc.record({
      seconds: lateSeconds,
      comparison: fc.constantFrom('eq', 'ne'),
      status: fc.constantFrom('normal', 'warning', 'incident'),
    }),
  }),
);
const triggerRow = fc.record({
  scopeId: fc.constantFrom(...scopeIds),
  disabled: fc.constantFrom(false, false, false, true),
  conditions: fc.array(fc.oneof(condition, condition, lateCondition), { maxLength: 3 }),
  target: fc.constantFrom('hook', 'hook', 'hook', 'gone'),
});
const pastEvent = fc.record({
  scopeId: fc.constantFrom<string>(...scopeIds),
  at: fc.constantFrom(5, 10, 50, 150).map((seconds) => nowMs - seconds * 1000),
  delta,
  before: fc.nat(3),
  latest: fc.nat(3),
  severityName: fc.constant<string>('default'),
});
/** Configuration, stored state and messages of one run. */
export const scenario = fc.record({
  attributes: fc.tuple(...scopeIds.map(() => fc.constantFrom('prod', 'test', undefined))),
  rules: fc.array(ruleRow, { minLength: 1, maxLength: 4, size: 'max' }),
  triggers: fc.array(triggerRow, { minLength: 1, maxLength: 4, size: 'max' }),
  state: fc.dictionary(
    fc.constantFrom(...scopeIds),
    fc.dictionary(fc.constantFrom('default', 'disk'), fc.nat(6), { noNullPrototype: true }),
    { noNullPrototype: true },
  ),
  past: fc.array(pastEvent, { maxLength: 6 }),
  acted: fc.array(
    fc.record({
      trigger: fc.nat(3),
      at: fc.constantFrom(5, 10, 50, 150).map((seconds) => nowMs - seconds * 1000),
    }),
    { maxLength: 3 },
  ),
  /** `gap`: seconds since the previous message. */
  messages: fc.array(
    fc.record({
      slot: fc.constantFrom(...slots, ...slots, 's3'),
      body,
      gap: fc.constantFrom(0, 0, 0, 5, 10, 70),
    }),
    {
      minLength: 3,
      maxLength: 12,
      size: 'max',
    },
  ),
});
export type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

export const thresholds = { warning: 2, incident: 4 };

/** The rule with the paths of the message replaced by those of the element. */
function readingElements<Row>(row: Row): Row {
  return JSON.parse(JSON.stringify(row).replaceAll('message.content.data.', 'element.')) as Row;
}

/** The configuration as rows for the engine. @internal For tests. */
export function toConfigRows(scenarioData: Scenario): ConfigRows {
  const createdAt = '2026-01-01T00:00:00.000Z';
  return {
    space: {},
    actions: [
      {
        actionId: 'hook',
        displayName: 'Hook',
        kind: 'webhook',
        parameters: {
          url: 'https://example.com',
          method: 'POST',
          headers: {},
          body: '{{event.scopeId}}/{{event.severityName}}={{event.severity}}',
        },
      },
    ],
    scopes: scopeIds.map((scopeId, index) => {
      const env = scenarioData.attributes[index];
      return {
        scopeId,
        displayName: scopeId,
        remarks: '',
        thresholds,
        recoveryTime: null,
        attributes: env === undefined ? [] : [{ name: 'env', value: env }],
      };
    }),
    rules: scenarioData.rules.map(({ steps, ...rule }, index) => {
      const row = {
        ...{ ruleId: `r${index}`, displayName: `r${index}`, createdAt },
        flow: { steps },
        ...rule,
      };
      return rule.forEach === null ? row : readingElements(row);
    }),
    triggers: scenarioData.triggers.map(({ target, ...trigger }, index) => ({
      triggerId: `t${index}`,
      displayName: `t${index}`,
      remarks: '',
      createdAt,
      relatedMessageFilters: [],
      flow: { steps: [] },
      ...trigger,
      target: { kind: 'action', id: target },
    })),
  };
}
