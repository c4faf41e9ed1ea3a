import { expect, test } from 'vitest';
import { EscapeFilter } from './escape-filter.ts';

/** What is sent and found when these texts are typed one after the other. */
function type(...texts: string[]) {
  const filter = new EscapeFilter();
  const results = texts.map((text) => filter.filter(new TextEncoder().encode(text)));
  return {
    sent: results.map(({ bytes }) => new TextDecoder().decode(bytes)).join(''),
    found: results.flatMap(({ found }) => found),
  };
}

test.each([
  [['~.'], '', ['leave']],
  [['ls\r~?~r~g~.'], 'ls\r', ['help', 'request', 'give', 'leave']],
  // The two keys rarely arrive together.
  [['\r', '~', '.'], '\r', ['leave']],
  [['~~.'], '~.', []],
  [['~~~.'], '~~.', []],
  [['~', 'x~.'], '~x~.', []],
  [['a\n~.'], 'a\n', ['leave']],
  [['~\r~.'], '~\r', ['leave']],
  [['~?x~.'], 'x~.', ['help']],
  [['~x'], '~x', []],
  [['cd ~.'], 'cd ~.', []],
  [['vi ~\r'], 'vi ~\r', []],
])('%j is sent as %j and runs %j', (texts, sent, found) => {
  expect(type(...texts)).toEqual({ sent, found });
});
