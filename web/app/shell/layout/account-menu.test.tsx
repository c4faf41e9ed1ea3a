import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import type { DeveloperMode } from '../preferences/developer-mode.server.ts';
import { AccountMenu } from './account-menu.tsx';

afterEach(cleanup);

const toggle = () => screen.queryByRole('button', { name: /Developer tools/, hidden: true });

it.each<[DeveloperMode, string, string]>([
  ['off', 'true', 'false'],
  ['browser', 'false', 'true'],
])('offers the other setting of developer tools where they are %s', async (mode, value, pressed) => {
  await renderInRouter(<AccountMenu user={null} theme="system" developerMode={mode} />);
  const button = toggle()!;
  expect([button.getAttribute('name'), button.getAttribute('value')]).toEqual(['developer-mode', value]);
  expect(button.getAttribute('aria-pressed')).toBe(pressed);
  expect(button.closest('form')!.getAttribute('action')).toBe('/choices');
});

it('does not offer to hide developer tools that the server shows to everyone', async () => {
  await renderInRouter(<AccountMenu user={null} theme="system" developerMode="server" />);
  expect(toggle()).toBe(null);
});
