// Related message filters: which messages of the same scope are passed to a trigger's action.
import { z } from 'zod';
import { operator as en } from '../../../i18n/en/operator.ts';
import { operator as ja } from '../../../i18n/ja/operator.ts';
import type { RelatedMessageFilter } from '../../trigger.ts';
import { compareNumbers, numberComparisons } from '../data/compare-numbers.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, parseParams } from '../errors/flow-error.ts';
import { type JsonSchema, requireTranslation, toParamsJsonSchema } from '../operators/define-operator.ts';
import type { PastEvent } from '../state/event-history.ts';

type RelatedEventValues = Pick<PastEvent, 'delta' | 'before' | 'latest' | 'severityName'>;

/** Whether the message of an event is related to the event that the trigger is evaluated for. */
export type RelatedMessagePredicate = (event: RelatedEventValues, origin: RelatedEventValues) => boolean;

interface RelatedFilterKind {
  filterId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Throws FlowError with a path below `params`. */
  compile(params: unknown): RelatedMessagePredicate;
}

function defineRelatedFilter<S extends z.ZodObject>(
  filterId: string,
  params: S,
  compile: (params: z.output<S>) => RelatedMessagePredicate,
): RelatedFilterKind {
  const key = `related.${filterId}`;
  return {
    filterId,
    displayName: { en: requireTranslation(en, key), ja: requireTranslation(ja, key) },
    params: toParamsJsonSchema(key, params),
    compile: (rawParams) => compile(parseParams(params, rawParams)),
  };
}

const sameOrNot = z.enum(['eq', 'ne']);

/** All filters, in menu order. */
export const relatedFilters: readonly RelatedFilterKind[] = [
  defineRelatedFilter(
    'severity-changed',
    z.strictObject({ direction: z.enum(['up', 'down']) }),
    ({ direction }) => {
      const sign = direction === 'up' ? 1 : -1;
      return ({ before, latest }) => (latest - before) * sign > 0;
    },
  ),
  defineRelatedFilter('same-severity-name', z.strictObject({ comparison: sameOrNot }), ({ comparison }) => {
    return (event, origin) => (event.severityName === origin.severityName) === (comparison === 'eq');
  }),
  defineRelatedFilter(
    'severity-name',
    z.strictObject({ comparison: sameOrNot, name: z.string().trim().min(1).max(64) }),
    ({ comparison, name }) => {
      return (event) => (event.severityName === name) === (comparison === 'eq');
    },
  ),
  defineRelatedFilter(
    'event-value',
    z.strictObject({
      value: z.enum(['delta', 'before', 'latest']),
      comparison: z.enum(numberComparisons),
      number: z.int(),
    }),
    ({ value, comparison, number }) => {
      return (event) => compareNumbers(event[value], comparison, number);
    },
  ),
];

const byId = new Map(relatedFilters.map((filter) => [filter.filterId, filter]));

/** Throws FlowError with a path below the filter. */
export function compileRelatedFilter({ filterId, params }: RelatedMessageFilter): RelatedMessagePredicate {
  const kind = byId.get(filterId);
  if (!kind) throw new FlowError('filterId', reason('why.related.unknown', { filterId }));
  return kind.compile(params);
}
