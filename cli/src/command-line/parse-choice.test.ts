import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { choiceError, parseChoice } from './parse-choice.ts';

const sources = fileURLToPath(new URL('..', import.meta.url));

test('a word of the list is returned, any other text names the flag and the list', () => {
  expect(parseChoice('--format', 'csv', ['csv', 'yaml'])).toBe('csv');
  for (const text of ['CSV', '', ' csv', 'xml', 'toString']) {
    expect(() => parseChoice('--format', text, ['csv', 'yaml'])).toThrow(
      expect.objectContaining({
        messageKey: 'cli.usage.choice',
        params: { flag: '--format', values: 'csv, yaml' },
      }),
    );
  }
});

test('an error for a list that depends on other flags is created by itself', () => {
  expect(choiceError('METHOD', ['GET'])).toMatchObject({ params: { flag: 'METHOD', values: 'GET' } });
});

test('no other module writes the message by itself', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  const writers = files.filter(
    (file) =>
      /(?<!\.test)\.tsx?$/.test(file) &&
      readFileSync(join(sources, file), 'utf8').includes("'cli.usage.choice'"),
  );
  expect(writers).toEqual([join('command-line', 'parse-choice.ts')]);
});
