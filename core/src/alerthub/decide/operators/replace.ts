import { z } from 'zod';
import { within } from '../flow-error.ts';
import { reason } from '../reason.ts';
import { parseReplacement, Regex } from '../regex.ts';
import { maxText, textOf } from '../values.ts';
import {
  defineOperator,
  failed,
  nameParam,
  pathParam,
  stopped,
  textTransform,
  tooLong,
  wrote,
} from './operator.ts';

/** Replaces every occurrence of a text, or every match of a pattern when `regex` is on. */
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
        const text = textOf(seen);
        if (text === undefined) return stopped(seen, reason('why.noValue', { path: source.text }));
        if (text.length > maxText) return tooLong(source, text, maxText);
        const pieces = text.split(search);
        const length = text.length + (pieces.length - 1) * (replacement.length - search.length);
        if (length > maxText) {
          return failed(seen, reason('why.tooLong', { path: destination, length, most: maxText }));
        }
        return wrote(destination, pieces.join(replacement), seen);
      };
    }
    const pattern = regex ? search : search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const compiled = within('params.search', () => new Regex(pattern, ignoreCase));
    const parts = regex
      ? within('params.replacement', () => parseReplacement(replacement, compiled))
      : [replacement];
    return (data) => {
      const seen = data.read(source);
      const text = textOf(seen);
      if (text === undefined) return stopped(seen, reason('why.noValue', { path: source.text }));
      if (text.length > compiled.mostInput) return tooLong(source, text, compiled.mostInput);
      const replaced = compiled.replaceAll(text, parts, maxText);
      if (replaced === undefined) return failed(seen, reason('why.regex.tooMuchWork', { path: source.text }));
      return wrote(destination, replaced, seen);
    };
  },
});

/** Turns letters into lower or upper case. */
export const changeCase = defineOperator({
  operatorId: 'change-case',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), to: z.enum(['lower', 'upper']), destination: nameParam() }),
  compile: (params) =>
    textTransform(params, (text) => (params.to === 'lower' ? text.toLowerCase() : text.toUpperCase())),
});

/** Removes white space at both ends. */
export const trim = defineOperator({
  operatorId: 'trim',
  kind: 'transform',
  params: z.strictObject({ source: pathParam(), destination: nameParam() }),
  compile: (params) => textTransform(params, (text) => text.trim()),
});

/** Cuts a text at a separator into a list of at most 10,000 parts; the last part keeps the rest. */
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
    textTransform(params, (text) => {
      const parts = splitAtMost(text, params.separator, 10_000);
      return params.trim ? parts.map((part) => part.trim()) : parts;
    }),
});

function splitAtMost(text: string, separator: string, max: number): string[] {
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
