import { expect, it } from 'vitest';
import { buildNav } from './nav.server.ts';

it('shows the tools for developers in developer mode only', () => {
  const words = (developer: boolean) =>
    buildNav({ profile: null, permissions: 'everything' }, developer).map((group) => group.labelKey);
  expect(words(true)).toContain('shell.devtool');
  expect(words(false)).not.toContain('shell.devtool');
});
