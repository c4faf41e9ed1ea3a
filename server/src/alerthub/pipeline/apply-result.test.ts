import { expect, test } from 'vitest';
import { applyResult } from './apply-result.ts';

const nothing = { severities: [], evictedSeverities: [], contributions: [], clearedContributions: [] };
const loaded = () => ({
  scopeIds: new Set(['loaded']),
  state: new Map([
    [
      'loaded',
      new Map([
        ['cpu', 1],
        ['disk', 0],
        ['fan', 2],
      ]),
    ],
  ]),
  contributions: new Map([
    [
      'loaded',
      new Map([
        ['cpu', new Map([['a', 1]])],
        ['fan', new Map([['b', 2]])],
      ]),
    ],
  ]),
});

test('names that gave way are gone, and changed ones are the latest', () => {
  const state = loaded();
  applyResult(state, {
    ...nothing,
    evictedSeverities: [{ scopeId: 'loaded', name: 'disk' }],
    severities: [
      { scopeId: 'loaded', name: 'cpu', value: 5, status: 'warning' },
      { scopeId: 'loaded', name: 'new', value: 0, status: 'normal' },
    ],
  });
  expect([...state.state.get('loaded')!]).toEqual([
    ['fan', 2],
    ['cpu', 5],
    ['new', 0],
  ]);
});

test('contributions that were cleared are gone before others are set', () => {
  const state = loaded();
  applyResult(state, {
    ...nothing,
    clearedContributions: [{ scopeId: 'loaded', name: 'cpu' }],
    contributions: [
      { scopeId: 'loaded', name: 'cpu', fingerprint: 'c', value: 3 },
      { scopeId: 'loaded', name: 'fan', fingerprint: 'b', value: 0 },
    ],
  });
  expect(state.contributions.get('loaded')).toEqual(
    new Map([
      ['cpu', new Map([['c', 3]])],
      ['fan', new Map()],
    ]),
  );
});

test('scopes that were not loaded stay without an entry, as others of their names are unknown', () => {
  const state = loaded();
  applyResult(state, {
    severities: [{ scopeId: 'other', name: 'cpu', value: 1, status: 'warning' }],
    evictedSeverities: [{ scopeId: 'other', name: 'fan' }],
    contributions: [{ scopeId: 'other', name: 'cpu', fingerprint: 'a', value: 1 }],
    clearedContributions: [{ scopeId: 'other', name: 'fan' }],
  });
  expect(state).toEqual(loaded());
});
