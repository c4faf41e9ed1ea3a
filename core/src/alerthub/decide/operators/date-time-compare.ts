import { IANAZone } from 'luxon';
import { z } from 'zod';
import { FlowError } from '../flow-error.ts';
import { type DecisionNoteKey, reason } from '../reason.ts';
import { timeOf } from '../values.ts';
import { defineOperator, pathParam, stopped, tested } from './operator.ts';

const comparisons = ['before', 'after', 'within'] as const;
const words: Record<(typeof comparisons)[number], DecisionNoteKey> = {
  before: 'why.time.before',
  after: 'why.time.after',
  within: 'why.time.within',
};

/** A time zone name for texts that carry none. */
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
    /** Where the other time is read. */
    reference: pathParam().prefault('message.receivedAt'),
    /** A fixed time instead of `reference`. */
    time: z.string().max(64).optional(),
    /** For `within`: the largest distance in either direction. */
    seconds: z.number().min(0).max(3_155_760_000).optional(),
    zone: zoneParam(),
  }),
  compile({ source, comparison, reference, time, seconds, zone }) {
    if (comparison === 'within' && seconds === undefined) {
      throw new FlowError('params.seconds', reason('why.param.missing'));
    }
    const fixed = time === undefined ? undefined : timeOf(time, zone);
    if (time !== undefined && fixed === undefined)
      throw new FlowError('params.time', reason('why.param.time'));
    const wanted = reason(words[comparison], {
      path: source.text,
      reference: time ?? reference.text,
      ...(seconds === undefined ? {} : { seconds }),
    });
    const max = (seconds ?? 0) * 1000;
    return (data) => {
      const seen = data.read(source);
      const left = timeOf(seen, zone);
      const right = fixed ?? timeOf(data.read(reference), zone);
      if (left === undefined) return stopped(seen, reason('why.time.none', { path: source.text }));
      if (right === undefined) return stopped(seen, reason('why.time.none', { path: reference.text }));
      if (comparison === 'before') return tested(left < right, seen, wanted);
      if (comparison === 'after') return tested(left > right, seen, wanted);
      return tested(Math.abs(left - right) <= max, seen, wanted);
    };
  },
});
