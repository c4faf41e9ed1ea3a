import { z } from 'zod';
import { within } from '../flow-error.ts';
import { reason } from '../reason.ts';
import { Regex } from '../regex.ts';
import { textOf } from '../values.ts';
import { defineOperator, pathParam, tested, tooLong } from './operator.ts';

export const patternParam = () => z.string().min(1).max(65_536).meta({ format: 'regex' });

/** Whether some part of a text matches; `matches: false` turns it round, and then holds where there is no value. */
export const regexMatch = defineOperator({
  operatorId: 'regex-match',
  kind: 'test',
  params: z.strictObject({
    source: pathParam(),
    pattern: patternParam(),
    matches: z.boolean().default(true),
    ignoreCase: z.boolean().default(false),
  }),
  compile({ source, pattern, matches, ignoreCase }) {
    const regex = within('params.pattern', () => new Regex(pattern, ignoreCase));
    const wanted = reason(matches ? 'why.regex.matches' : 'why.regex.matchesNot', {
      path: source.text,
      pattern: pattern.slice(0, 200),
    });
    return (data) => {
      const seen = data.read(source);
      const text = textOf(seen);
      if (text === undefined) return tested(!matches, seen, wanted);
      if (text.length > regex.mostInput) return tooLong(source, text, regex.mostInput);
      return tested(regex.matches(text) === matches, seen, wanted);
    };
  },
});
