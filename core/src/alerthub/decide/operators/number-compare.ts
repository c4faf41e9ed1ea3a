import { z } from 'zod';
import { compareNumbers, comparisonSigns, numberComparisons } from '../compare-numbers.ts';
import { reason } from '../reason.ts';
import { numberOf } from '../values.ts';
import { defineOperator, pathParam, tested } from './operator.ts';

/** Compares a number, or text that is one; anything else never holds. */
export const numberCompare = defineOperator({
  operatorId: 'number-compare',
  kind: 'test',
  params: z.strictObject({ source: pathParam(), comparison: z.enum(numberComparisons), value: z.number() }),
  compile({ source, comparison, value }) {
    const wanted = reason('why.number', {
      path: source.text,
      sign: comparisonSigns[comparison],
      wanted: value,
    });
    return (data) => {
      const seen = data.read(source);
      const number = numberOf(seen);
      return tested(number !== undefined && compareNumbers(number, comparison, value), seen, wanted);
    };
  },
});
