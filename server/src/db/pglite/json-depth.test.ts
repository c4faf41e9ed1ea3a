import { expect, test } from 'vitest';
import { rejectDeepJson } from './json-depth.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each<[string, unknown, boolean]>([
  ['10,000 levels', nested(10_000), false],
  ['10,001 levels', nested(10_001), true],
  ['levels that are never closed', '['.repeat(30_000), true],
  ['levels of objects', '{"a":'.repeat(10_001), true],
  ['levels behind white space', ` \n${nested(10_001)}`, true],
  ['many values beside each other', `[${'[],'.repeat(30_000)}[]]`, false],
  ['brackets within text', `["${'['.repeat(30_000)}"]`, false],
  ['brackets within text behind an escaped quote', `["\\"${'['.repeat(30_000)}"]`, false],
  ['text that is no JSON', `x${'['.repeat(30_000)}`, false],
  ['no text', 5, false],
])('%s', (_name, value, isRefused) => {
  if (isRefused) expect(() => rejectDeepJson([1, value])).toThrow('Parameter 2 is JSON nested more deeply');
  else expect(() => rejectDeepJson([1, value])).not.toThrow();
});
