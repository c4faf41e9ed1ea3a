import { z } from 'zod';
import { BoundedRegex, checkGroup } from '../data/bounded-regex.ts';
import { toText } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { withErrorPath } from '../errors/flow-error.ts';
import {
  defineOperator,
  nameParam,
  pathParam,
  stoppedResult,
  tooLongResult,
  writeResult,
} from './define-operator.ts';
import { patternParam } from './regex-match.ts';

/** Writes one group of the first match; without a match the rule does not match. */
export const regexExtract = defineOperator({
  operatorId: 'regex-extract',
  kind: 'transform',
  params: z.strictObject({
    source: pathParam(),
    pattern: patternParam(),
    /**
     * Number or name of the group; defaults to the first group, or to the whole match for a pattern without
     * groups.
     */
    group: z.union([z.int().min(0).max(99), z.string().min(1).max(64)]).optional(),
    ignoreCase: z.boolean().default(false),
    destination: nameParam(),
  }),
  compile({ source, pattern, group, ignoreCase, destination }) {
    const regex = withErrorPath('params.pattern', () => new BoundedRegex(pattern, ignoreCase));
    const picked = withErrorPath('params.group', () => checkGroup(group ?? Math.min(regex.groups, 1), regex));
    const none = reason('why.regex.noMatch', { path: source.text, pattern: pattern.slice(0, 200) });
    return (data) => {
      const seen = data.read(source);
      const text = toText(seen);
      if (text === undefined) return stoppedResult(seen, reason('why.noValue', { path: source.text }));
      if (text.length > regex.maxInputLength) return tooLongResult(source, text, regex.maxInputLength);
      data.spend(regex.workOf(text));
      const found = regex.extract(text, picked);
      return typeof found === 'string' ? writeResult(destination, found, seen) : stoppedResult(seen, none);
    };
  },
});
