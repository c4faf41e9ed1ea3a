import { z } from 'zod';
import { BoundedRegex, parseReplacement } from '../data/bounded-regex.ts';
import { maxTextLength, toText } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { withErrorPath } from '../errors/flow-error.ts';
import {
  compileTextTransform,
  defineOperator,
  failedResult,
  nameParam,
  pathParam,
  stoppedResult,
  tooLongResult,
  writeResult,
} from './define-operator.ts';

/** Replaces every occurrence of a text, or every match of a pattern if `regex` is set. */
export const replace = defineOperator({
  operatorId: 'replace',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    search: z.string().min(1).max(65_536),
    replacement: z.string().max(65_536).default(''),
    regex: z.boolean().default(false),
    ignoreCase: z.boolean().default(false),
    destination: nameParam(),
  }),
  compile({ source, search, replacement, regex, ignoreCase, destination }) {
    if (!regex && !ignoreCase) {
      return (data) => {
        const seen = data.read(source);
        const text = toText(seen);
        if (text === undefined) return stoppedResult(seen, reason('why.noValue', { path: source.text }));
        if (text.length > maxTextLength) return tooLongResult(source, text, maxTextLength);
        const pieces = text.split(search);
        const length = text.length + (pieces.length - 1) * (replacement.length - search.length);
        if (length > maxTextLength) {
          return failedResult(
            seen,
            reason('why.tooLong', { path: destination, length, most: maxTextLength }),
          );
        }
        return writeResult(destination, pieces.join(replacement), seen);
      };
    }
    const pattern = regex ? search : search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const compiled = withErrorPath('params.search', () => new BoundedRegex(pattern, ignoreCase));
    const parts = regex
      ? withErrorPath('params.replacement', () => parseReplacement(replacement, compiled))
      : [replacement];
    return (data) => {
      const seen = data.read(source);
      const text = toText(seen);
      if (text === undefined) return stoppedResult(seen, reason('why.noValue', { path: source.text }));
      if (text.length > compiled.maxInputLength) return tooLongResult(source, text, compiled.maxInputLength);
      const { text: replaced, work } = compiled.replaceAll(text, parts, maxTextLength);
      data.spend(compiled.workOf(text) + work);
      if (replaced === undefined)
        return failedResult(seen, reason('why.regex.tooMuchWork', { path: source.text }));
      return writeResult(destination, replaced, seen);
    };
  },
});

/** Converts text to lower or upper case. */
export const changeCase = defineOperator({
  operatorId: 'change-case',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), to: z.enum(['lower', 'upper']), destination: nameParam() }),
  compile: (params) =>
    compileTextTransform(params, (text) => (params.to === 'lower' ? text.toLowerCase() : text.toUpperCase())),
});

/** Removes whitespace at both ends. */
export const trim = defineOperator({
  operatorId: 'trim',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), destination: nameParam() }),
  compile: (params) => compileTextTransform(params, (text) => text.trim()),
});

/** Splits text at a separator into at most 10,000 parts; the last part contains the rest. */
export const split = defineOperator({
  operatorId: 'split',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    separator: z.string().min(1).max(1000),
    trim: z.boolean().default(false),
    destination: nameParam(),
  }),
  compile: (params) =>
    compileTextTransform(params, (text) => {
      const parts = splitWithLimit(text, params.separator, 10_000);
      return params.trim ? parts.map((part) => part.trim()) : parts;
    }),
});

function splitWithLimit(text: string, separator: string, max: number): string[] {
  const parts: string[] = [];
  let done = 0;
  while (parts.length < max - 1) {
    const next = text.indexOf(separator, done);
    if (next < 0) break;
    parts.push(text.slice(done, next));
    done = next + separator.length;
  }
  parts.push(text.slice(done));
  return parts;
}
