import { expect, test } from 'vitest';
import { assertVersionMatches, etagOf } from './etag.ts';

const matches = (ifMatch: string | undefined) => {
  try {
    assertVersionMatches(ifMatch, '2');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 412 });
    return false;
  }
};

test.each([
  ['no condition', undefined, true],
  ['any version', '*', true],
  ['this version', etagOf('2'), true],
  ['this version as a weak tag', `W/${etagOf('2')}`, true],
  ['one of several', `${etagOf('1')}, W/${etagOf('2')}`, true],
  ['an earlier version', etagOf('1'), false],
  ['several others', `${etagOf('1')},${etagOf('3')}`, false],
  ['the version without quotes', '2', false],
  ['an empty condition', '', false],
])('%s', (_what, ifMatch, expected) => {
  expect(matches(ifMatch)).toBe(expected);
});
