import { IANAZone } from 'luxon';
import { z } from 'zod';
import { toEpochMs } from '../data/convert-values.ts';
import { type DecisionReasonKey, reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { defineOperator, pathParam, stoppedResult, testResult } from './define-operator.ts';

const comparisons = ['before', 'after', 'within'] as const;
const words: Record<(typeof comparisons)[number], DecisionReasonKey> = {
  before: 'why.time.before',
  after: 'why.time.after',
  within: 'why.time.within',
};

/** Time zone for texts without one. */
export const zoneParam = () =>
  z
    .string()
    .max(64)
    .refine((name) => IANAZone.isValidZone(name), { params: { reason: reason('why.param.zone') } })
    .default('UTC');

/** Compares a date-time with the time of receipt, another field or a fixed time. */
export const dateTimeCompare = defineOperator({
  operatorId: 'date-time-compare',
  kind: 'test',
  params: z.strictObject({
    source: pathParam(),
    comparison: z.enum(comparisons),
    /** Path of the other time. */
    reference: pathParam().prefault('message.receivedAt'),
    /** A fixed time instead of `reference`. */
    time: z.string().max(64).optional(),
    /** For `within`: maximum distance in either direction. */
    seconds: z.number().min(0).max(3_155_760_000).optional(),
    zone: zoneParam(),
  }),
  compile({ source, comparison, reference, time, seconds, zone }) {
    if (comparison === 'within' && seconds === undefined) {
      throw new FlowError('params.seconds', reason('why.param.missing'));
    }
    const fixed = time === undefined ? undefined : toEpochMs(time, zone);
    if (time !== undefined && fixed === undefined)
      throw new FlowError('params.time', reason('why.param.time'));
    const expected = reason(words[comparison], {
      path: source.text,
      reference: time ?? reference.text,
      ...(seconds === undefined ? {} : { seconds }),
    });
    const max = (seconds ?? 0) * 1000;
    return (data) => {
      const seen = data.read(source);
      const left = toEpochMs(seen, zone);
      const right = fixed ?? toEpochMs(data.read(reference), zone);
      if (left === undefined) return stoppedResult(seen, reason('why.time.none', { path: source.text }));
      if (right === undefined) return stoppedResult(seen, reason('why.time.none', { path: reference.text }));
      if (comparison === 'before') return testResult(left < right, seen, expected);
      if (comparison === 'after') return testResult(left > right, seen, expected);
      return testResult(Math.abs(left - right) <= max, seen, expected);
    };
  },
});
