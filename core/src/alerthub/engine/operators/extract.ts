import { z } from 'zod';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, nameParam, pathParam, stoppedResult, writeResult } from './define-operator.ts';

/** Copies the value at a path to a new name. */
export const extract = defineOperator({
  operatorId: 'extract',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), destination: nameParam() }),
  compile({ source, destination }) {
    return (data) => {
      const seen = data.read(source);
      if (seen === undefined) return stoppedResult(seen, reason('why.noValue', { path: source.text }));
      return writeResult(destination, seen, seen);
    };
  },
});
