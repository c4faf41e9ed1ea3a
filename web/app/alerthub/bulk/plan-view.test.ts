import { expect, it } from 'vitest';
import { planView } from './plan-view.ts';

it.each([
  [null, 0, 'all'],
  [null, 3, 'errors'],
  ['update', 3, 'update'],
  ['all', 3, 'all'],
  ['nonsense', 0, 'all'],
  ['nonsense', 1, 'errors'],
])('%s with %i errors shows %s', (requested, errors, view) => {
  expect(planView(requested, errors)).toBe(view);
});
