// The engine against a slow reference written from the product's rules alone: no indexes, no caches, everything recomputed from the log of events.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ConfigRows } from './config.ts';
import { compileConfig } from './config.ts';
import { type DecideMessage, decideBatch } from './decide.ts';
import type { History } from './history.ts';

const now = '2026-01-02T03:04:05.000Z';
const nowMs = Date.parse(now);
const slots = ['s1', 's2'] as const;
const scopeIds = ['a', 'b', 'c'] as const;
const words = ['ok', 'warn', 'crit', ''] as const;
const comparisons = ['eq', 'ne', 'ge', 'le', 'gt', 'lt'] as const;

type Comparison = (typeof comparisons)[number];

interface Body {
  level?: string;
  n?: number | string;
  env?: string;
  name?: string;
}

interface Past {
  scopeId: string;
  at: number;
  delta: number;
  before: number;
  latest: number;
  severityName: string;
}

const comparison = fc.constantFrom(...comparisons);
const value = fc.constantFrom('delta', 'before', 'latest');
const body = fc.record(
  {
    level: fc.constantFrom(...words),
    n: fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom('3', 'x')),
    env: fc.constantFrom('prod', 'test', 'none'),
    name: fc.constantFrom('disk', 'cpu', ' '),
  },
  { requiredKeys: [], noNullPrototype: true },
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
const ruleRow = fc.record({
  receiveSlotId: fc.constantFrom(...slots),
  disabled: fc.constantFrom(false, false, false, true),
  steps: fc.array(step, { maxLength: 2 }),
  eventParams: fc.array(fc.record({ scopeId: fc.constantFrom(...scopeIds, 'gone'), severityName, delta }), {
    maxLength: 2,
  }),
  conditionalEventParams: fc.array(
    fc.record({
      attributes: fc.array(
        fc.record({
          name: fc.constant('env'),
          op: fc.constantFrom('eq' as const, 'ne' as const, 'pr' as const),
          value: fc.oneof(fc.constantFrom('prod', 'test'), fc.constant({ path: 'message.content.data.env' })),
        }),
        { minLength: 1, maxLength: 2 },
      ),
      severityName,
      delta,
    }),
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
const triggerRow = fc.record({
  scopeId: fc.constantFrom(...scopeIds),
  disabled: fc.constantFrom(false, false, false, true),
  conditions: fc.array(condition, { maxLength: 2 }),
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
const world = fc.record({
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
  messages: fc.array(fc.record({ slot: fc.constantFrom(...slots, ...slots, 's3'), body }), {
    minLength: 3,
    maxLength: 12,
    size: 'max',
  }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const thresholds = { warning: 2, incident: 4 };

function rowsOf(made: World): ConfigRows {
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
      const env = made.attributes[index];
      return {
        scopeId,
        displayName: scopeId,
        remarks: '',
        thresholds,
        recoveryTime: null,
        attributes: env === undefined ? [] : [{ name: 'env', value: env }],
      };
    }),
    rules: made.rules.map(({ steps, ...rule }, index) => ({
      ruleId: `r${index}`,
      displayName: `r${index}`,
      createdAt,
      flow: { steps },
      ...rule,
    })),
    triggers: made.triggers.map(({ target, ...trigger }, index) => ({
      triggerId: `t${index}`,
      displayName: `t${index}`,
      remarks: '',
      createdAt,
      flow: { steps: [] },
      ...trigger,
      target: { kind: 'action', id: target },
    })),
  };
}

const signs: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};
const holds = (left: number, how: Comparison, right: number): boolean => signs[how](left - right);

/** One line for each thing that happens, in order. */
function reference(made: World): string[] {
  const log: string[] = [];
  const events: Past[] = [...made.past];
  const acted = made.acted.map(({ trigger, at }) => ({ trigger, at }));
  const values: Record<string, Record<string, number>> = structuredClone(made.state);
  const status = (scopeId: string): string => {
    const all = Object.values(values[scopeId] ?? {});
    if (all.some((one) => one >= thresholds.incident)) return 'incident';
    return all.some((one) => one >= thresholds.warning) ? 'warning' : 'normal';
  };

  const stepHolds = (operatorId: string, params: Record<string, unknown>, data: Body): boolean => {
    if (operatorId === 'number-compare') {
      const number = data.n === '3' ? 3 : data.n;
      return (
        typeof number === 'number' && holds(number, params.comparison as Comparison, params.value as number)
      );
    }
    if (data.level === undefined) return params.comparison === 'notEquals';
    if (params.comparison === 'equals') return data.level === params.value;
    if (params.comparison === 'notEquals') return data.level !== params.value;
    return data.level.split(params.value as string).length > 1;
  };

  const conditionHolds = (
    conditionId: string,
    p: Record<string, unknown>,
    event: Past,
    before: string,
    after: string,
    trigger: number,
  ): boolean => {
    const within = (at: number): boolean => (nowMs - at) / 1000 < (p.seconds as number);
    switch (conditionId) {
      case 'severity-changed':
        return p.direction === 'up' ? event.latest > event.before : event.latest < event.before;
      case 'event-value':
        return holds(event[p.value as 'delta'], p.comparison as Comparison, p.number as number);
      case 'recent-events': {
        const found = events.filter(
          (past) =>
            past.scopeId === event.scopeId &&
            within(past.at) &&
            holds(past[p.value as 'delta'], p.comparison as Comparison, p.number as number),
        );
        return holds(found.length, p.countComparison as Comparison, p.count as number);
      }
      case 'recent-actions':
        return holds(
          acted.filter((act) => act.trigger === trigger && within(act.at)).length,
          p.countComparison as Comparison,
          p.count as number,
        );
      case 'severity-name':
        return p.comparison === 'eq' ? event.severityName === p.name : event.severityName !== p.name;
      default: {
        const seen = p.when === 'before' ? before : after;
        return p.comparison === 'eq' ? seen === p.status : seen !== p.status;
      }
    }
  };

  const raise = (scopeId: string, name: string, change: number): void => {
    const before = status(scopeId);
    values[scopeId] ??= {};
    const old = values[scopeId][name] ?? 0;
    const latest = old + change < 0 ? 0 : old + change;
    values[scopeId][name] = latest;
    const after = status(scopeId);
    const event = { scopeId, at: nowMs, delta: change, before: old, latest, severityName: name };
    events.push(event);
    log.push(`event ${scopeId} ${name} ${change} ${old} ${latest} ${before} ${after}`);
    for (const [index, trigger] of made.triggers.entries()) {
      if (trigger.scopeId !== scopeId || trigger.disabled) continue;
      const all = trigger.conditions.map(({ conditionId, params }) =>
        conditionHolds(conditionId, params, event, before, after, index),
      );
      if (all.includes(false)) log.push(`held t${index}`);
      else if (trigger.target === 'gone') log.push(`failed t${index}`);
      else {
        acted.push({ trigger: index, at: nowMs });
        log.push(`fired t${index} ${scopeId}/${name}=${latest}`);
      }
    }
  };

  for (const message of made.messages) {
    const data: Body = message.body;
    const nameOf = (source: { literal?: string; path?: string }): string =>
      source.literal ?? (data.name ?? '').trim();
    for (const rule of made.rules) {
      if (rule.receiveSlotId !== message.slot || rule.disabled) continue;
      if (!rule.steps.every((one) => stepHolds(one.operatorId, one.params, data))) continue;
      for (const param of rule.eventParams) {
        const name = nameOf(param.severityName);
        if (name !== '' && param.scopeId !== 'gone') raise(param.scopeId, name, param.delta);
      }
      for (const param of rule.conditionalEventParams) {
        const name = nameOf(param.severityName);
        const needs = param.attributes.filter((one) => one.op !== 'pr' && typeof one.value !== 'string');
        if (name === '' || (needs.length > 0 && data.env === undefined)) continue;
        const chosen = scopeIds.filter((_id, index) =>
          param.attributes.every(({ op, value: literal }) => {
            const own = made.attributes[index];
            const wanted = typeof literal === 'string' ? literal : data.env;
            if (op === 'pr') return own !== undefined;
            return op === 'eq' ? own === wanted : own !== wanted;
          }),
        );
        for (const scopeId of chosen) raise(scopeId, name, param.delta);
      }
    }
  }
  for (const [scopeId, own] of Object.entries(values).sort()) {
    for (const [name, one] of Object.entries(own).sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}

function engine(made: World, batchSize: number): string[] {
  const log: string[] = [];
  const config = compileConfig(rowsOf(made));
  const state = new Map(
    Object.entries(made.state).map(([scopeId, own]) => [scopeId, new Map(Object.entries(own))]),
  );
  const events = made.past.map((past) => ({ ...past }));
  const acted = made.acted.map(({ trigger, at }) => ({ triggerId: `t${trigger}`, at }));
  const history: History = {
    eventsOf: (scopeId, since) => events.filter((past) => past.scopeId === scopeId && past.at >= since),
    actionsOf: (triggerId, since) => acted.filter((act) => act.triggerId === triggerId && act.at >= since),
  };
  let last = 0;
  const nextId = (): string => {
    last += 1;
    return String(last);
  };
  const messages = made.messages.map(
    ({ slot, body: data }, index): DecideMessage => ({
      messageId: String(index),
      receiveSlotId: slot,
      receiveSlotKind: 'webhook',
      receivedAt: now,
      content: { body: JSON.stringify(data) },
      metadata: {},
    }),
  );
  for (let start = 0; start < messages.length; start += batchSize) {
    const result = decideBatch({
      config,
      state,
      history,
      now,
      nextId,
      messages: messages.slice(start, start + batchSize),
    });
    for (const event of result.events) {
      const {
        scopeId,
        severityName: name,
        delta: change,
        previousSeverity,
        severity,
        statusBefore,
        status,
      } = event;
      log.push(
        `event ${scopeId} ${name} ${change} ${previousSeverity} ${severity} ${statusBefore} ${status}`,
      );
      for (const trigger of event.triggers) {
        if (trigger.outcome === 'disabled') continue;
        const firing = result.firings.find((one) => one.actionRecordId === trigger.actionRecordId);
        const sent = firing ? ` ${(firing.request as { body: string }).body}` : '';
        log.push(`${trigger.outcome} ${trigger.triggerId}${sent}`);
      }
      events.push({
        scopeId,
        at: nowMs,
        delta: change,
        before: previousSeverity,
        latest: severity,
        severityName: name,
      });
    }
    for (const { triggerId } of result.firings) acted.push({ triggerId, at: nowMs });
    for (const { scopeId, name, value: stored } of result.severities) {
      const own = state.get(scopeId) ?? new Map<string, number>();
      state.set(scopeId, own.set(name, stored));
    }
  }
  for (const [scopeId, own] of [...state].sort()) {
    for (const [name, one] of [...own].sort()) log.push(`value ${scopeId} ${name} ${one}`);
  }
  return log;
}

it('decides as the reference does, in one batch or in many', { timeout: 60_000 }, () => {
  let firings = 0;
  fc.assert(
    fc.property(world, fc.integer({ min: 1, max: 12 }), (made, batchSize) => {
      const expected = reference(made);
      firings += expected.filter((line) => line.startsWith('fired')).length;
      expect(engine(made, batchSize)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
  // A generator that never fires would compare nothing.
  expect(firings).toBeGreaterThan(500);
});
