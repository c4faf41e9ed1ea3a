import { z } from 'zod';
import { toEpochMs } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { zoneParam } from './date-time-compare.ts';
import {
  defineOperator,
  failedResult,
  nameParam,
  pathParam,
  stoppedResult,
  writeResult,
} from './define-operator.ts';

/** Adds seconds to a date-time and writes it as ISO 8601 in UTC. */
export const dateShift = defineOperator({
  operatorId: 'date-shift',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    direction: z.enum(['add', 'subtract']),
    seconds: z.number().min(0).max(3_155_760_000),
    zone: zoneParam(),
    destination: nameParam(),
  }),
  compile({ source, direction, seconds, zone, destination }) {
    const shift = (direction === 'add' ? seconds : -seconds) * 1000;
    return (data) => {
      const seen = data.read(source);
      const time = toEpochMs(seen, zone);
      if (time === undefined) return stoppedResult(seen, reason('why.time.none', { path: source.text }));
      const shifted = new Date(time + shift);
      if (Number.isNaN(shifted.getTime()))
        return failedResult(seen, reason('why.time.outOfRange', { path: source.text }));
      return writeResult(destination, shifted.toISOString(), seen);
    };
  },
});
