import { expect, test } from 'vitest';
import { SpaceShares } from './space-shares.ts';

const limits = { max: 64, weight: 3 };

/** Lets spaces take places in turn until all of them are full; returns how many each has. */
function fill(shares: SpaceShares, spaces: readonly string[]): number[] {
  for (let before = -1; before < shares.taken; ) {
    before = shares.taken;
    for (const space of spaces) if (shares.freeFor(space) > 0) shares.take(space);
  }
  return spaces.map((space) => shares.countOf(space));
}

test('a space alone takes most places, and others find some free', () => {
  const shares = new SpaceShares(limits);
  expect(shares.freeForOne).toBe(48);
  expect(fill(shares, ['a'])).toEqual([48]);
  expect(shares.full).toEqual(['a']);
  expect(shares.freeFor('b')).toBe(12);
  expect(shares.freeForOne).toBe(12);
});

test('however many spaces want places, the next one gets some, until there are more of them than places', () => {
  for (let count = 1; count <= 16; count += 1) {
    const shares = new SpaceShares(limits);
    const counts = fill(
      shares,
      Array.from({ length: count }, (_, index) => `space ${index}`),
    );
    // In turn, no space gets more than one place ahead of another.
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(shares.freeFor('next')).toBeGreaterThan(0);
  }
});

test('what may be taken at once leads to the same as one after the other, whoever takes it', () => {
  const shares = new SpaceShares(
    limits,
    Array.from({ length: 10 }, () => 'a'),
  );
  const atOnce = shares.freeForOne;
  expect(atOnce).toBe(shares.freeFor('a'));
  for (let taken = 0; taken < atOnce; taken += 1) {
    expect(shares.freeFor('a')).toBeGreaterThan(0);
    shares.take('a');
  }
  expect(shares.freeFor('a')).toBe(0);
});

test('a space that is over its share since others came gets places again when they leave', () => {
  const shares = new SpaceShares(limits);
  fill(shares, ['a']);
  fill(shares, ['b']);
  expect(shares.full).toEqual(['a', 'b']);
  const ofB = shares.countOf('b');
  for (let count = 0; count < ofB; count += 1) shares.release('b');
  shares.release('a');
  expect(shares.full).toEqual([]);
  expect(shares.freeFor('a')).toBe(1);
});

test('the last place is taken by a space that has none, and nobody gets more than there are', () => {
  const one = new SpaceShares({ max: 1, weight: 3 });
  expect(one.freeForOne).toBe(1);
  one.take('a');
  expect(one.freeFor('b')).toBe(0);
  expect(one.freeForOne).toBe(0);
});
