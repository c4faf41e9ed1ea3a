import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, versionKey } from './version-order.ts';

// Fixed seed, so that every run tests the same cases.
fc.configureGlobal({ seed: 20260131 });

// In ascending order, from deb-version(7) and common package lists.
const ascending = [
  '~rc',
  '0',
  '0.9',
  '1.0~beta1~svn1245',
  '1.0~beta1',
  '1.0',
  '1.0-1',
  '1.0-1ubuntu1',
  '1.0-2',
  '1.0a',
  '1.0b',
  '1.0.0',
  '1.1.1f-1ubuntu2.8',
  '1.1.1f-1ubuntu2.20',
  '1.9',
  '1.10',
  '3.0.2-0ubuntu1.10',
  '3.0.11-1~deb12u2',
  '3.0.11-1',
  '10.0.19041.1',
  '1:0.5',
];

test('every earlier version is older than every later one', () => {
  for (const [index, older] of ascending.entries()) {
    for (const newer of ascending.slice(index + 1)) {
      expect([older, newer, compareVersions(older, newer)]).toEqual([older, newer, -1]);
      expect(compareVersions(newer, older)).toBe(1);
    }
  }
});

test.each([
  ['1.0', '1.0'],
  ['1.01', '1.1'],
  ['0:1.0', '1.0'],
  [' 1.0 ', '1.0'],
  ['1.', '1.0'],
])('%j equals %j', (a, b) => {
  expect(compareVersions(a, b)).toBe(0);
});

test('the key of hostile text is bounded', () => {
  expect(versionKey('9.'.repeat(100_000)).length).toBeLessThan(2000);
});

test('agrees with the algorithm of the manual page, written out', () => {
  const version = fc.string({
    unit: fc.constantFrom('0', '1', '9', 'a', 'B', '.', '~', '+', '-'),
    maxLength: 10,
  });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(compareVersions(a, b)).toBe(Math.sign(debian(a, b)));
    }),
    { numRuns: 3000 },
  );
});

function debian(a: string, b: string): number {
  const [upstreamA, revisionA] = split(a);
  const [upstreamB, revisionB] = split(b);
  return part(upstreamA, upstreamB) || part(revisionA, revisionB);
}

function split(version: string): [string, string] {
  const dash = version.lastIndexOf('-');
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)];
}

function part(a: string, b: string): number {
  let [left, right] = [a, b];
  while (left !== '' || right !== '') {
    const [otherLeft, otherRight] = [/^\D*/.exec(left)![0], /^\D*/.exec(right)![0]];
    for (let index = 0; index < Math.max(otherLeft.length, otherRight.length); index += 1) {
      const difference = weight(otherLeft[index]) - weight(otherRight[index]);
      if (difference !== 0) return difference;
    }
    [left, right] = [left.slice(otherLeft.length), right.slice(otherRight.length)];
    const [digitsLeft, digitsRight] = [/^\d*/.exec(left)![0], /^\d*/.exec(right)![0]];
    const difference = Number(digitsLeft || '0') - Number(digitsRight || '0');
    if (difference !== 0) return difference;
    [left, right] = [left.slice(digitsLeft.length), right.slice(digitsRight.length)];
  }
  return 0;
}

function weight(character: string | undefined): number {
  if (character === '~') return -1;
  if (character === undefined) return 0;
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 256);
}
