import { z } from 'zod';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, pathParam, testResult } from './define-operator.ts';

/** Holds if the path has a value other than null. */
export const exists = defineOperator({
  operatorId: 'exists',
  kind: 'test',
  params: z.strictObject({ source: pathParam() }),
  compile({ source }) {
    const expected = reason('why.exists', { path: source.text });
    return (data) => {
      const seen = data.read(source);
      return testResult(seen !== undefined && seen !== null, seen, expected);
    };
  },
});

/** Holds if the path has no value or null. */
export const notExists = defineOperator({
  operatorId: 'not-exists',
  kind: 'test',
  params: z.strictObject({ source: pathParam() }),
  compile({ source }) {
    const expected = reason('why.notExists', { path: source.text });
    return (data) => {
      const seen = data.read(source);
      return testResult(seen === undefined || seen === null, seen, expected);
    };
  },
});
