import { z } from 'zod';
import { within } from '../flow-error.ts';
import { reason } from '../reason.ts';
import { checkGroup, Regex } from '../regex.ts';
import { textOf } from '../values.ts';
import { defineOperator, nameParam, pathParam, stopped, tooLong, wrote } from './operator.ts';
import { patternParam } from './regex-match.ts';

/** Writes one group of the first match; without a match the rule does not apply. */
export const regexExtract = defineOperator({
  operatorId: 'regex-extract',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    pattern: patternParam(),
    /** Number or name of the group; the first group when the pattern has one, else the whole match. */
    group: z.union([z.int().min(0).max(99), z.string().min(1).max(64)]).optional(),
    ignoreCase: z.boolean().default(false),
    destination: nameParam(),
  }),
  compile({ source, pattern, group, ignoreCase, destination }) {
    const regex = within('params.pattern', () => new Regex(pattern, ignoreCase));
    const picked = within('params.group', () => checkGroup(group ?? Math.min(regex.groups, 1), regex));
    const none = reason('why.regex.noMatch', { path: source.text, pattern: pattern.slice(0, 200) });
    return (data) => {
      const seen = data.read(source);
      const text = textOf(seen);
      if (text === undefined) return stopped(seen, reason('why.noValue', { path: source.text }));
      if (text.length > regex.mostInput) return tooLong(source, text, regex.mostInput);
      const found = regex.extract(text, picked);
      return typeof found === 'string' ? wrote(destination, found, seen) : stopped(seen, none);
    };
  },
});
