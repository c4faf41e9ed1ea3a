import { z } from 'zod';
import { toText, truncateText } from '../data/convert-values.ts';
import { type DecisionReasonKey, reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';
import { defineOperator, pathParam, testResult } from './define-operator.ts';

const comparisons = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'inList',
] as const;
type Comparison = (typeof comparisons)[number];

const tests: Record<Exclude<Comparison, 'inList'>, (seen: string, expected: string) => boolean> = {
  equals: (seen, expected) => seen === expected,
  notEquals: (seen, expected) => seen !== expected,
  contains: (seen, expected) => seen.includes(expected),
  notContains: (seen, expected) => !seen.includes(expected),
  startsWith: (seen, expected) => seen.startsWith(expected),
  endsWith: (seen, expected) => seen.endsWith(expected),
};

const words: Record<Comparison, DecisionReasonKey> = {
  equals: 'why.text.equals',
  notEquals: 'why.text.notEquals',
  contains: 'why.text.contains',
  notContains: 'why.text.notContains',
  startsWith: 'why.text.startsWith',
  endsWith: 'why.text.endsWith',
  inList: 'why.text.inList',
};

/** Compares text. If there is no value, only the negative comparisons hold. */
export const textCompare = defineOperator({
  operatorId: 'text-compare',
  kind: 'test',
  params: z.strictObject({
    source: pathParam(),
    comparison: z.enum(comparisons),
    value: z.string().max(65_536).optional(),
    values: z.array(z.string().max(2048)).min(1).max(1000).optional(),
    ignoreCase: z.boolean().default(false),
  }),
  compile({ source, comparison, value, values, ignoreCase }) {
    const fold = ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text;
    const whenMissing = comparison === 'notEquals' || comparison === 'notContains';
    if (comparison === 'inList') {
      if (!values) throw new FlowError('params.values', reason('why.param.missing'));
      const list = new Set(values.map(fold));
      const expected = reason(words.inList, { path: source.text, wanted: truncateText(values.join(', ')) });
      return (data) => {
        const seen = data.read(source);
        const text = toText(seen);
        return testResult(text !== undefined && list.has(fold(text)), seen, expected);
      };
    }
    if (value === undefined) throw new FlowError('params.value', reason('why.param.missing'));
    const test = tests[comparison];
    const folded = fold(value);
    const expected = reason(words[comparison], { path: source.text, wanted: truncateText(value) });
    return (data) => {
      const seen = data.read(source);
      const text = toText(seen);
      return testResult(text === undefined ? whenMissing : test(fold(text), folded), seen, expected);
    };
  },
});
