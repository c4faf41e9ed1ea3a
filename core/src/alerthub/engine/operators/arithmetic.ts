import { z } from 'zod';
import { toNumber } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import {
  defineOperator,
  failedResult,
  nameParam,
  pathParam,
  stoppedResult,
  writeResult,
} from './define-operator.ts';

const operations = {
  add: (left: number, right: number) => left + right,
  subtract: (left: number, right: number) => left - right,
  multiply: (left: number, right: number) => left * right,
  divide: (left: number, right: number) => left / right,
};

/** Computes with a number in the data and a constant or a second number in the data. */
export const arithmetic = defineOperator({
  operatorId: 'arithmetic',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    operation: z.enum(['add', 'subtract', 'multiply', 'divide']),
    value: z.number().optional(),
    /** Path of the second number, instead of `value`. */
    valuePath: pathParam().optional(),
    destination: nameParam(),
  }),
  compile({ source, operation, value, valuePath, destination }) {
    if (value === undefined && valuePath === undefined) {
      throw new FlowError('params.value', reason('why.param.missing'));
    }
    const calculate = operations[operation];
    return (data) => {
      const seen = data.read(source);
      const left = toNumber(seen);
      if (left === undefined) return stoppedResult(seen, reason('why.noNumber', { path: source.text }));
      const right = valuePath === undefined ? value : toNumber(data.read(valuePath));
      if (right === undefined) {
        return stoppedResult(data.read(valuePath!), reason('why.noNumber', { path: valuePath!.text }));
      }
      const result = calculate(left, right);
      if (!Number.isFinite(result)) {
        return failedResult(
          seen,
          reason(right === 0 ? 'why.arithmetic.byZero' : 'why.arithmetic.outOfRange'),
        );
      }
      return writeResult(destination, result, seen);
    };
  },
});
