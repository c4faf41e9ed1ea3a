import { z } from 'zod';
import { compareNumbers, comparisonSigns, numberComparisons } from '../data/compare-numbers.ts';
import { compareDecimals, toDecimal } from '../data/decimal.ts';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, pathParam, testResult } from './define-operator.ts';

/** A number, or text for one that has more digits than a JSON number of the API keeps. */
const decimalParam = () =>
  z.union([z.number(), z.string().max(200)]).transform((given, context) => {
    const decimal = toDecimal(given);
    if (decimal) return { given, decimal };
    const params = { reason: reason('why.param.type', { expected: 'number' }) };
    context.issues.push({ code: 'custom', input: given, params });
    return z.NEVER;
  });

/** Compares a number or numeric text with all its digits; never holds for other values. */
export const numberCompare = defineOperator({
  operatorId: 'number-compare',
  kind: 'test',
  params: z.strictObject({
    source: pathParam(),
    comparison: z.enum(numberComparisons),
    value: decimalParam(),
  }),
  compile({ source, comparison, value: { given, decimal } }) {
    const expected = reason('why.number', {
      path: source.text,
      sign: comparisonSigns[comparison],
      wanted: given,
    });
    return (data) => {
      const seen = data.read(source);
      const number = toDecimal(seen);
      const holds = number !== undefined && compareNumbers(compareDecimals(number, decimal), comparison, 0);
      return testResult(holds, seen, expected);
    };
  },
});
