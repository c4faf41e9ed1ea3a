import { describe, expect, test } from 'vitest';
import { parseGlobalOptions } from './global-options.ts';

describe('readGlobals', () => {
  test.each([
    [['scopes', 'list', '--lang', 'ja'], { language: 'ja', rest: ['scopes', 'list'] }],
    [['--lang=en', '--profile', 'x', 'why', 'id'], { language: 'en', profile: 'x', rest: ['why', 'id'] }],
    [['scopes', 'list', '--json', 'a'], { jsonErrors: true, rest: ['scopes', 'list', '--json', 'a'] }],
    [['scopes', 'list', '-o', 'ndjson'], { jsonErrors: true }],
    [
      ['api', 'GET', '--', '--lang', 'ja'],
      { language: undefined, rest: ['api', 'GET', '--', '--lang', 'ja'] },
    ],
    [['--constructor', 'x'], { rest: ['--constructor', 'x'] }],
  ])('%j', (argv, globals) =>
    expect(parseGlobalOptions(argv)).toMatchObject({ problem: undefined, ...globals }),
  );

  test.each([
    [['--lang'], 'cli.usage.missing-value'],
    [['--profile='], 'cli.usage.missing-value'],
    [['--lang', 'fr'], 'cli.usage.choice'],
  ])('%j is refused', (argv, word) => expect(parseGlobalOptions(argv).problem?.messageKey).toBe(word));
});
