import { expect, it } from 'vitest';
import { currentEntry } from './current-entry.ts';

const entries = ['/preference/kroker', '/preference/kroker/list', '/apps/sonar/networks'].map((to) => ({
  to,
}));

it.each([
  ['/apps/sonar/networks', '/apps/sonar/networks'],
  ['/apps/sonar/networks/1/managed-nodes/2', '/apps/sonar/networks'],
  ['/preference/kroker/list/9', '/preference/kroker/list'],
  ['/preference/kroker/7/logs', '/preference/kroker/list'],
  ['/preference/krokers', undefined],
  ['/', undefined],
])('%s belongs to %s', (path, to) => {
  expect(currentEntry(entries, path)?.to).toBe(to);
});
