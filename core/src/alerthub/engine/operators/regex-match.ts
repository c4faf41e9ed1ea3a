import { z } from 'zod';
import { BoundedRegex } from '../data/bounded-regex.ts';
import { toText } from '../data/convert-values.ts';
import { reason } from '../errors/decision-reason.ts';
import { withErrorPath } from '../errors/flow-error.ts';
import { defineOperator, pathParam, testResult, tooLongResult } from './define-operator.ts';

export const patternParam = () => z.string().min(1).max(65_536).meta({ format: 'regex' });

/**
 * Tests whether any part of a text matches; `matches: false` negates the test and also holds if there is no
 * value.
 */
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
    const regex = withErrorPath('params.pattern', () => new BoundedRegex(pattern, ignoreCase));
    const expected = reason(matches ? 'why.regex.matches' : 'why.regex.matchesNot', {
      path: source.text,
      pattern: pattern.slice(0, 200),
    });
    return (data) => {
      const seen = data.read(source);
      const text = toText(seen);
      if (text === undefined) return testResult(!matches, seen, expected);
      if (text.length > regex.maxInputLength) return tooLongResult(source, text, regex.maxInputLength);
      data.spend(regex.workOf(text));
      return testResult(regex.matches(text) === matches, seen, expected);
    };
  },
});
