import { expect, it } from 'vitest';
import { buildNav } from './nav.server.ts';

const groups = (mode: Parameters<typeof buildNav>[1]) =>
  buildNav({ profile: null, permissions: 'everything' }, mode);

it('shows the tools for developers in developer mode only', () => {
  const words = (mode: Parameters<typeof buildNav>[1]) => groups(mode).map((group) => group.labelKey);
  expect(words('browser')).toContain('shell.devtool');
  expect(words('off')).not.toContain('shell.devtool');
});

it('shows the mock phone only if the server is in developer mode', () => {
  const paths = (mode: Parameters<typeof buildNav>[1]) =>
    groups(mode).flatMap((group) => group.entries.map(({ to }) => to));
  expect(paths('server')).toContain('/apps/devtool/phone');
  expect(paths('browser')).not.toContain('/apps/devtool/phone');
});
