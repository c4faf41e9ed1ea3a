import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

const reference = (text: string) => createHash('sha256').update(text).digest('hex');

it('is SHA-256 of every text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(reference(text));
    }),
  );
});

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 100_000])('hashes %i characters', (length) => {
  expect(sha256('a'.repeat(length))).toBe(reference('a'.repeat(length)));
});
