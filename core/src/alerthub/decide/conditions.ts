// The only list of trigger conditions: what can be asked about an event, the scope's recent events and the trigger's recent actions.
import { z } from 'zod';
import { operator as en } from '../../words/en/operator.ts';
import { operator as ja } from '../../words/ja/operator.ts';
import { type Status, statuses } from '../severity-name.ts';
import type { ConditionDecision, Reason } from '../why.ts';
import type { BatchHistory, Counted } from './batch-history.ts';
import { compareNumbers, comparisonSigns, numberComparisons } from './compare-numbers.ts';
import { parseParams } from './flow-error.ts';
import type { PastAction, PastEvent } from './history.ts';
import { type JsonSchema, paramsSchema, wordOf } from './operators/operator.ts';
import { reason } from './reason.ts';
import type { ScopeSeverities } from './severity.ts';

/** The event that a trigger is asked about. */
export interface TriggerEvent {
  scopeId: string;
  severityName: string;
  delta: number;
  previousSeverity: number;
  severity: number;
  statusBefore: Status;
  status: Status;
}

export interface Subject {
  event: TriggerEvent;
  triggerId: string;
  history: BatchHistory;
  /** Milliseconds since 1970. */
  now: number;
}

/** How many seconds back a condition looks. */
export interface HistoryNeeds {
  eventSeconds: number;
  actionSeconds: number;
}

export type Test = (subject: Subject) => Omit<ConditionDecision, 'conditionId'>;

/** What is asked some seconds after the event: how its scope stands by then. */
export interface LateSubject {
  event: TriggerEvent;
  severities: Pick<ScopeSeverities, 'valueOf' | 'status'>;
}

/** Asked when the event happens, or so many seconds after it. */
export type Ask =
  | { after: 0; test: Test }
  | { after: number; test: (subject: LateSubject) => Omit<ConditionDecision, 'conditionId'>; wanted: Reason };

/** A condition that is asked later says what it will ask. */
export function isLate(ask: Ask): ask is Exclude<Ask, { after: 0 }> {
  return ask.after > 0;
}

export interface ConditionKind {
  conditionId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Throws FlowError below `params`. */
  compile(params: unknown): { ask: Ask; needs: HistoryNeeds };
}

const eventValues = ['delta', 'before', 'latest'] as const;
type EventValue = (typeof eventValues)[number];
const window = () => z.int().min(1).max(86_400);

function define<S extends z.ZodObject>(facts: {
  conditionId: string;
  params: S;
  needs?(params: z.output<S>): Partial<HistoryNeeds>;
  compile(params: z.output<S>): Test | Ask;
}): ConditionKind {
  const key = `condition.${facts.conditionId}`;
  return {
    conditionId: facts.conditionId,
    displayName: { en: wordOf(en, key), ja: wordOf(ja, key) },
    params: paramsSchema(key, facts.params),
    compile(params) {
      const parsed = parseParams(facts.params, params);
      const made = facts.compile(parsed);
      return {
        ask: typeof made === 'function' ? { after: 0, test: made } : made,
        needs: { eventSeconds: 0, actionSeconds: 0, ...facts.needs?.(parsed) },
      };
    },
  };
}

/** Whether the value really moved; a change that met a bound moved nothing. */
const severityChanged = define({
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

const eventValue = define({
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

const recentEvents = define({
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
    const counted: Counted<PastEvent> = (past, sinceMs) =>
      past.at > sinceMs && compareNumbers(past[value], comparison, number);
    return ({ event, history, now }) => {
      const seen = history.countEvents(event.scopeId, now - seconds * 1000, counted);
      return { holds: compareNumbers(seen, countComparison, count), seen: String(seen), reason: wanted };
    };
  },
});

const recentActions = define({
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
    const counted: Counted<PastAction> = (past, sinceMs) => past.at > sinceMs;
    return ({ triggerId, history, now }) => {
      const seen = history.countActions(triggerId, now - seconds * 1000, counted);
      return { holds: compareNumbers(seen, countComparison, count), seen: String(seen), reason: wanted };
    };
  },
});

const severityNameIs = define({
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

const scopeStatus = define({
  conditionId: 'scope-status',
  params: z.strictObject({
    when: z.enum(['before', 'after']).default('after'),
    comparison: z.enum(['eq', 'ne']),
    status: z.enum(statuses),
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

/** As `event-value`, but the latest value is the one that the event's severity has by then. */
const eventValueAfter = define({
  conditionId: 'event-value-after',
  params: z.strictObject({
    seconds: window(),
    value: z.enum(eventValues),
    comparison: z.enum(numberComparisons),
    number: z.int(),
  }),
  compile({ seconds, value, comparison, number }) {
    const wanted = reason('why.condition.valueAfter', {
      seconds,
      value: { word: `why.value.${value}` },
      sign: comparisonSigns[comparison],
      number,
    });
    return {
      after: seconds,
      wanted,
      test({ event, severities }) {
        const values: Record<EventValue, number> = {
          delta: event.delta,
          before: event.previousSeverity,
          latest: severities.valueOf(event.severityName),
        };
        const seen = values[value];
        return { holds: compareNumbers(seen, comparison, number), seen: String(seen), reason: wanted };
      },
    };
  },
});

const severityAfter = define({
  conditionId: 'severity-after',
  params: z.strictObject({
    seconds: window(),
    name: z.string().trim().min(1).max(64),
    comparison: z.enum(numberComparisons),
    number: z.int(),
  }),
  compile({ seconds, name, comparison, number }) {
    const sign = comparisonSigns[comparison];
    const wanted = reason('why.condition.severityAfter', { seconds, name, sign, number });
    return {
      after: seconds,
      wanted,
      test({ severities }) {
        const seen = severities.valueOf(name);
        return { holds: compareNumbers(seen, comparison, number), seen: String(seen), reason: wanted };
      },
    };
  },
});

const scopeStatusAfter = define({
  conditionId: 'scope-status-after',
  params: z.strictObject({
    seconds: window(),
    comparison: z.enum(['eq', 'ne']),
    status: z.enum(statuses),
  }),
  compile({ seconds, comparison, status }) {
    const word = comparison === 'eq' ? 'why.condition.statusLater' : 'why.condition.statusLaterNot';
    const wanted = reason(word, { seconds, status: { word: `why.status.${status}` } });
    return {
      after: seconds,
      wanted,
      test({ severities }) {
        const seen = severities.status;
        return { holds: (seen === status) === (comparison === 'eq'), seen, reason: wanted };
      },
    };
  },
});

/** Every condition, in the order of a menu. */
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

/** The condition of that id, undefined when the product has none. */
export function conditionOf(conditionId: string): ConditionKind | undefined {
  return byId.get(conditionId);
}
