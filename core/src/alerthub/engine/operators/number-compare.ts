import { z } from 'zod';
import { compareNumbers, comparisonSigns, numberComparisons } from '../data/compare-numbers.ts';
import { toNumber } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { defineOperator, pathParam, testResult } from './define-operator.ts';

/** Compares a number or numeric text; never holds for other values. */
export const numberCompare = defineOperator({
  operatorId: 'number-compare',
  kind: 'test',
  params: z.strictObject({ source: pathParam(), comparison: z.enum(numberComparisons), value: z.number() }),
  compile({ source, comparison, value }) {
    const expected = reason('why.number', {
      path: source.text,
      sign: comparisonSigns[comparison],
      wanted: value,
    });
    return (data) => {
      const seen = data.read(source);
      const number = toNumber(seen);
      return testResult(number !== undefined && compareNumbers(number, comparison, value), seen, expected);
    };
  },
});
