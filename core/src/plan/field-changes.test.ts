import { expect, test } from 'vitest';
import { matchesKnown } from './field-changes.ts';

test.each([
  [{ name: 'a' }, { name: 'a' }, true],
  [{ name: 'b' }, { name: 'a' }, false],
  [{ name: 'a', remarks: '', slot: null, tags: [] }, { name: 'a' }, true],
  [{ name: 'a', remarks: 'by hand' }, { name: 'a' }, false],
  [{ name: 'a' }, { name: 'a', remarks: 'gone' }, false],
  [{ name: 'a', days: 0 }, { name: 'a' }, false],
])('%j as %j is known: %s', (now, known, same) => expect(matchesKnown(now, known)).toBe(same));
