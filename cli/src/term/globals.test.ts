import { describe, expect, test } from 'vitest';
import { readGlobals } from './globals.ts';

describe('readGlobals', () => {
  test.each([
    [['scopes', 'list', '--lang', 'ja'], { language: 'ja', rest: ['scopes', 'list'] }],
    [['--lang=en', '--profile', 'x', 'why', 'id'], { language: 'en', profile: 'x', rest: ['why', 'id'] }],
    [['scopes', 'list', '--json', 'a'], { machine: true, rest: ['scopes', 'list', '--json', 'a'] }],
    [['scopes', 'list', '-o', 'ndjson'], { machine: true }],
    [
      ['api', 'GET', '--', '--lang', 'ja'],
      { language: undefined, rest: ['api', 'GET', '--', '--lang', 'ja'] },
    ],
    [['--constructor', 'x'], { rest: ['--constructor', 'x'] }],
  ])('%j', (argv, globals) => expect(readGlobals(argv)).toMatchObject({ problem: undefined, ...globals }));

  test.each([
    [['--lang'], 'cli.usage.missing-value'],
    [['--profile='], 'cli.usage.missing-value'],
    [['--lang', 'fr'], 'cli.usage.choice'],
  ])('%j is refused', (argv, word) => expect(readGlobals(argv).problem?.word).toBe(word));
});
