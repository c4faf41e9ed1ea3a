// Related messages: which of the messages behind events of the same scope an action of a trigger is told of.
import { z } from 'zod';
import { operator as en } from '../../words/en/operator.ts';
import { operator as ja } from '../../words/ja/operator.ts';
import type { RelatedMessageFilter } from '../trigger.ts';
import { compareNumbers, numberComparisons } from './compare-numbers.ts';
import { FlowError, parseParams } from './flow-error.ts';
import type { PastEvent } from './history.ts';
import { type JsonSchema, paramsSchema, wordOf } from './operators/operator.ts';
import { reason } from './reason.ts';

type Facts = Pick<PastEvent, 'delta' | 'before' | 'latest' | 'severityName'>;

/** Whether the message behind an event counts as related to the event that the trigger was asked about. */
export type RelatedTest = (event: Facts, origin: Facts) => boolean;

interface RelatedFilterKind {
  filterId: string;
  displayName: { en: string; ja: string };
  /** JSON Schema 2020-12 of the parameters. */
  params: JsonSchema;
  /** Throws FlowError below `params`. */
  compile(params: unknown): RelatedTest;
}

function define<S extends z.ZodObject>(
  filterId: string,
  params: S,
  compile: (params: z.output<S>) => RelatedTest,
): RelatedFilterKind {
  const key = `related.${filterId}`;
  return {
    filterId,
    displayName: { en: wordOf(en, key), ja: wordOf(ja, key) },
    params: paramsSchema(key, params),
    compile: (given) => compile(parseParams(params, given)),
  };
}

const sameOrNot = z.enum(['eq', 'ne']);

/** Every filter, in the order of a menu. */
export const relatedFilters: readonly RelatedFilterKind[] = [
  define('severity-changed', z.strictObject({ direction: z.enum(['up', 'down']) }), ({ direction }) => {
    const sign = direction === 'up' ? 1 : -1;
    return ({ before, latest }) => (latest - before) * sign > 0;
  }),
  define('same-severity-name', z.strictObject({ comparison: sameOrNot }), ({ comparison }) => {
    return (event, origin) => (event.severityName === origin.severityName) === (comparison === 'eq');
  }),
  define(
    'severity-name',
    z.strictObject({ comparison: sameOrNot, name: z.string().trim().min(1).max(64) }),
    ({ comparison, name }) => {
      return (event) => (event.severityName === name) === (comparison === 'eq');
    },
  ),
  define(
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

/** Throws FlowError below the filter. */
export function compileRelatedFilter({ filterId, params }: RelatedMessageFilter): RelatedTest {
  const kind = byId.get(filterId);
  if (!kind) throw new FlowError('filterId', reason('why.related.unknown', { filterId }));
  return kind.compile(params);
}
