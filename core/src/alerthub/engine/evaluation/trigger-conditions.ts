// Catalogue of trigger conditions: on an event, the scope's recent events and the trigger's recent actions.
import { z } from 'zod';
import { operator as en } from '../../../i18n/en/operator.ts';
import { operator as ja } from '../../../i18n/ja/operator.ts';
import type { ConditionDecision, Reason } from '../../decision-log.ts';
import { type ScopeStatus, scopeStatuses } from '../../scope-status.ts';
import { compareNumbers, comparisonSigns, numberComparisons } from '../data/compare-numbers.ts';
import { reason } from '../errors/decision-reason.ts';
import { parseParams } from '../errors/flow-error.ts';
import { type JsonSchema, requireTranslation, toParamsJsonSchema } from '../operators/define-operator.ts';
import type { BatchHistory, CountPredicate } from '../state/batch-history.ts';
import type { PastAction, PastEvent } from '../state/event-history.ts';
import type { ScopeSeverities } from '../state/scope-severities.ts';

/** The event that a trigger is evaluated for. */
export interface TriggerEvent {
  scopeId: string;
  severityName: string;
  delta: number;
  previousSeverity: number;
  severity: number;
  statusBefore: ScopeStatus;
  status: ScopeStatus;
}

export interface ConditionContext {
  event: TriggerEvent;
  triggerId: string;
  history: BatchHistory;
  /** Milliseconds since 1970. */
  now: number;
}

/** How far back a condition looks, in seconds. */
export interface HistoryNeeds {
  eventSeconds: number;
  actionSeconds: number;
}

export type ConditionTest = (subject: ConditionContext) => Omit<ConditionDecision, 'conditionId'>;

/** Input of a delayed condition, evaluated some seconds after the event: the scope's state at that time. */
export interface DelayedConditionContext {
  event: TriggerEvent;
  severities: Pick<ScopeSeverities, 'valueOf' | 'status'>;
}

/** Evaluated at the event, or the given number of seconds after it. */
export type ConditionCheck =
  | { delaySeconds: 0; test: ConditionTest }
  | {
      delaySeconds: number;
      test: (subject: DelayedConditionContext) => Omit<ConditionDecision, 'conditionId'>;
      expected: Reason;
    };

/** True for a condition that is evaluated later. */
export function isDelayed(check: ConditionCheck): check is Exclude<ConditionCheck, { delaySeconds: 0 }> {
  return check.delaySeconds > 0;
}

export interface ConditionKind {
  conditionId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Throws FlowError with a path below `params`. */
  compile(params: unknown): { check: ConditionCheck; needs: HistoryNeeds };
}

const eventValues = ['delta', 'before', 'latest'] as const;
type EventValue = (typeof eventValues)[number];
const window = () => z.int().min(1).max(86_400);

function defineCondition<S extends z.ZodObject>(definition: {
  conditionId: string;
  params: S;
  needs?(params: z.output<S>): Partial<HistoryNeeds>;
  compile(params: z.output<S>): ConditionTest | ConditionCheck;
}): ConditionKind {
  const key = `condition.${definition.conditionId}`;
  return {
    conditionId: definition.conditionId,
    displayName: { en: requireTranslation(en, key), ja: requireTranslation(ja, key) },
    params: toParamsJsonSchema(key, definition.params),
    compile(params) {
      const parsed = parseParams(definition.params, params);
      const compiled = definition.compile(parsed);
      return {
        check: typeof compiled === 'function' ? { delaySeconds: 0, test: compiled } : compiled,
        needs: { eventSeconds: 0, actionSeconds: 0, ...definition.needs?.(parsed) },
      };
    },
  };
}

/** Compares the stored values, so a change that was cut off at a limit does not count. */
const severityChanged = defineCondition({
  conditionId: 'severity-changed',
  params: z.strictObject({ direction: z.enum(['up', 'down']) }),
  compile({ direction }) {
    const wanted = reason(direction === 'up' ? 'why.condition.up' : 'why.condition.down');
    return ({ event }) => {
      const moved = event.severity - event.previousSeverity;
      const holds = direction === 'up' ? moved > 0 : moved < 0;
      return { holds, seen: `${event.previousSeverity} → ${event.severity}`, reason: wanted };
    };
  },
});

const eventValue = defineCondition({
  conditionId: 'event-value',
  params: z.strictObject({
    value: z.enum(eventValues),
    comparison: z.enum(numberComparisons),
    number: z.int(),
  }),
  compile({ value, comparison, number }) {
    const wanted = reason('why.condition.value', {
      value: { word: `why.value.${value}` },
      sign: comparisonSigns[comparison],
      number,
    });
    const readers: Record<EventValue, (event: TriggerEvent) => number> = {
      delta: (event) => event.delta,
      before: (event) => event.previousSeverity,
      latest: (event) => event.severity,
    };
    return ({ event }) => {
      const seen = readers[value](event);
      return { holds: compareNumbers(seen, comparison, number), seen: String(seen), reason: wanted };
    };
  },
});

const recentEvents = defineCondition({
  conditionId: 'recent-events',
  params: z.strictObject({
    seconds: window(),
    value: z.enum(eventValues),
    comparison: z.enum(numberComparisons),
    number: z.int(),
    countComparison: z.enum(numberComparisons),
    count: z.int().min(0),
  }),
  needs: ({ seconds }) => ({ eventSeconds: seconds }),
  compile({ seconds, value, comparison, number, countComparison, count }) {
    const wanted = reason('why.condition.recentEvents', {
      seconds,
      value: { word: `why.value.${value}` },
      sign: comparisonSigns[comparison],
      number,
      countSign: comparisonSigns[countComparison],
      wantedCount: count,
    });
    const counted: CountPredicate<PastEvent> = (past, sinceMs) =>
      past.at > sinceMs && compareNumbers(past[value], comparison, number);
    return ({ event, history, now }) => {
      const seen = history.countEvents(event.scopeId, now - seconds * 1000, counted);
      return { holds: compareNumbers(seen, countComparison, count), seen: String(seen), reason: wanted };
    };
  },
});

const recentActions = defineCondition({
  conditionId: 'recent-actions',
  params: z.strictObject({
    seconds: window(),
    countComparison: z.enum(numberComparisons),
    count: z.int().min(0),
  }),
  needs: ({ seconds }) => ({ actionSeconds: seconds }),
  compile({ seconds, countComparison, count }) {
    const wanted = reason('why.condition.recentActions', {
      seconds,
      countSign: comparisonSigns[countComparison],
      wantedCount: count,
    });
    const counted: CountPredicate<PastAction> = (past, sinceMs) => past.at > sinceMs;
    return ({ triggerId, history, now }) => {
      const seen = history.countActions(triggerId, now - seconds * 1000, counted);
      return { holds: compareNumbers(seen, countComparison, count), seen: String(seen), reason: wanted };
    };
  },
});

const severityNameIs = defineCondition({
  conditionId: 'severity-name',
  params: z.strictObject({ comparison: z.enum(['eq', 'ne']), name: z.string().trim().min(1).max(64) }),
  compile({ comparison, name }) {
    const wanted = reason(comparison === 'eq' ? 'why.condition.name' : 'why.condition.nameNot', { name });
    return ({ event }) => ({
      holds: (event.severityName === name) === (comparison === 'eq'),
      seen: event.severityName,
      reason: wanted,
    });
  },
});

const scopeStatus = defineCondition({
  conditionId: 'scope-status',
  params: z.strictObject({
    when: z.enum(['before', 'after']).default('after'),
    comparison: z.enum(['eq', 'ne']),
    status: z.enum(scopeStatuses),
  }),
  compile({ when, comparison, status }) {
    const wanted = reason(comparison === 'eq' ? 'why.condition.status' : 'why.condition.statusNot', {
      when: { word: `why.when.${when}` },
      status: { word: `why.status.${status}` },
    });
    return ({ event }) => {
      const seen = when === 'before' ? event.statusBefore : event.status;
      return { holds: (seen === status) === (comparison === 'eq'), seen, reason: wanted };
    };
  },
});

/** As `event-value`, but compares the value that the event's severity has at evaluation time. */
const eventValueAfter = defineCondition({
  conditionId: 'event-value-after',
  params: z.strictObject({
    seconds: window(),
    value: z.enum(eventValues),
    comparison: z.enum(numberComparisons),
    number: z.int(),
  }),
  compile({ seconds, value, comparison, number }) {
    const expected = reason('why.condition.valueAfter', {
      seconds,
      value: { word: `why.value.${value}` },
      sign: comparisonSigns[comparison],
      number,
    });
    return {
      delaySeconds: seconds,
      expected,
      test({ event, severities }) {
        const values: Record<EventValue, number> = {
          delta: event.delta,
          before: event.previousSeverity,
          latest: severities.valueOf(event.severityName),
        };
        const seen = values[value];
        return { holds: compareNumbers(seen, comparison, number), seen: String(seen), reason: expected };
      },
    };
  },
});

const severityAfter = defineCondition({
  conditionId: 'severity-after',
  params: z.strictObject({
    seconds: window(),
    name: z.string().trim().min(1).max(64),
    comparison: z.enum(numberComparisons),
    number: z.int(),
  }),
  compile({ seconds, name, comparison, number }) {
    const sign = comparisonSigns[comparison];
    const expected = reason('why.condition.severityAfter', { seconds, name, sign, number });
    return {
      delaySeconds: seconds,
      expected,
      test({ severities }) {
        const seen = severities.valueOf(name);
        return { holds: compareNumbers(seen, comparison, number), seen: String(seen), reason: expected };
      },
    };
  },
});

const scopeStatusAfter = defineCondition({
  conditionId: 'scope-status-after',
  params: z.strictObject({
    seconds: window(),
    comparison: z.enum(['eq', 'ne']),
    status: z.enum(scopeStatuses),
  }),
  compile({ seconds, comparison, status }) {
    const messageKey = comparison === 'eq' ? 'why.condition.statusLater' : 'why.condition.statusLaterNot';
    const expected = reason(messageKey, { seconds, status: { word: `why.status.${status}` } });
    return {
      delaySeconds: seconds,
      expected,
      test({ severities }) {
        const seen = severities.status;
        return { holds: (seen === status) === (comparison === 'eq'), seen, reason: expected };
      },
    };
  },
});

/** All conditions, in menu order. */
export const conditions: readonly ConditionKind[] = [
  severityChanged,
  eventValue,
  recentEvents,
  recentActions,
  severityNameIs,
  scopeStatus,
  eventValueAfter,
  severityAfter,
  scopeStatusAfter,
];

const byId = new Map(conditions.map((condition) => [condition.conditionId, condition]));

/** The condition with this id; undefined if unknown. */
export function findCondition(conditionId: string): ConditionKind | undefined {
  return byId.get(conditionId);
}
