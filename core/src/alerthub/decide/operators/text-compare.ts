import { z } from 'zod';
import { FlowError } from '../flow-error.ts';
import { type DecisionNoteKey, reason } from '../reason.ts';
import { shorten, textOf } from '../values.ts';
import { defineOperator, pathParam, tested } from './operator.ts';

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

const tests: Record<Exclude<Comparison, 'inList'>, (seen: string, wanted: string) => boolean> = {
  equals: (seen, wanted) => seen === wanted,
  notEquals: (seen, wanted) => seen !== wanted,
  contains: (seen, wanted) => seen.includes(wanted),
  notContains: (seen, wanted) => !seen.includes(wanted),
  startsWith: (seen, wanted) => seen.startsWith(wanted),
  endsWith: (seen, wanted) => seen.endsWith(wanted),
};

const words: Record<Comparison, DecisionNoteKey> = {
  equals: 'why.text.equals',
  notEquals: 'why.text.notEquals',
  contains: 'why.text.contains',
  notContains: 'why.text.notContains',
  startsWith: 'why.text.startsWith',
  endsWith: 'why.text.endsWith',
  inList: 'why.text.inList',
};

/** Compares text. Where there is no value only the negative comparisons hold. */
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
      const wanted = reason(words.inList, { path: source.text, wanted: shorten(values.join(', ')) });
      return (data) => {
        const seen = data.read(source);
        const text = textOf(seen);
        return tested(text !== undefined && list.has(fold(text)), seen, wanted);
      };
    }
    if (value === undefined) throw new FlowError('params.value', reason('why.param.missing'));
    const test = tests[comparison];
    const folded = fold(value);
    const wanted = reason(words[comparison], { path: source.text, wanted: shorten(value) });
    return (data) => {
      const seen = data.read(source);
      const text = textOf(seen);
      return tested(text === undefined ? whenMissing : test(fold(text), folded), seen, wanted);
    };
  },
});
