import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { Menu } from './menu.tsx';

async function renderMenu() {
  const removed = vi.fn();
  const view = await renderInRouter(
    <Menu
      label="Menu"
      items={[
        { label: 'Edit', href: '/edit' },
        { label: 'Export', disabled: true, onSelect: () => removed('export') },
        { label: 'Duplicate', onSelect: () => removed('duplicate') },
        { label: 'Delete', danger: true, onSelect: () => removed('delete') },
      ]}
    />,
  );
  return { ...view, removed, button: screen.getByRole('button', { name: 'Menu' }) };
}

const focused = () => document.activeElement?.textContent;

describe('Menu', () => {
  it('opens by a click on its first entry and closes on Esc with the focus back', async () => {
    const { user, button } = await renderMenu();
    await user.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe('Edit');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('goes round by arrows and passes over what is disabled', async () => {
    const { user, button } = await renderMenu();
    button.focus();
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('Edit');
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('Duplicate');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('Edit');
    await user.keyboard('{ArrowUp}');
    expect(focused()).toBe('Delete');
    await user.keyboard('{Home}');
    expect(focused()).toBe('Edit');
    await user.keyboard('{End}');
    expect(focused()).toBe('Delete');
  });

  it('opens on its last entry by arrow up', async () => {
    const { user, button } = await renderMenu();
    button.focus();
    await user.keyboard('{ArrowUp}');
    expect(focused()).toBe('Delete');
  });

  it('finds entries by their first letters', async () => {
    const { user, button } = await renderMenu();
    await user.click(button);
    await user.keyboard('d');
    expect(focused()).toBe('Duplicate');
    await user.keyboard('el');
    expect(focused()).toBe('Delete');
  });

  it('does what an entry says and closes', async () => {
    const { user, button, removed } = await renderMenu();
    await user.click(button);
    await user.keyboard('{End}{Enter}');
    expect(removed.mock.calls).toEqual([['delete']]);
    expect(screen.queryByRole('menu')).toBeNull();
    await user.click(button);
    await user.click(screen.getByRole('menuitem', { name: 'Export' }));
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('follows links', async () => {
    const { user, button, address } = await renderMenu();
    await user.click(button);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/edit'));
  });

  it('tells what is switched on, and begins all labels at the same place', async () => {
    const { user } = await renderInRouter(
      <Menu
        label="Menu"
        items={[
          { label: 'Copy', icon: 'copy' },
          { label: 'Paste' },
          { label: 'Wrap', checked: true },
          { label: 'Ruler', checked: false },
        ]}
      />,
    );
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const isOn = (name: string) =>
      screen.getByRole('menuitemcheckbox', { name }).getAttribute('aria-checked');
    expect([isOn('Wrap'), isOn('Ruler')]).toEqual(['true', 'false']);
    const icons = [...screen.getByRole('menu').querySelectorAll('svg')];
    expect(icons.map((icon) => icon.classList.contains('invisible'))).toEqual([false, true, false, true]);
  });

  it('closes when something else is pointed at', async () => {
    const { user, button } = await renderMenu();
    await user.click(button);
    await user.click(document.body);
    expect(screen.queryByRole('menu')).toBeNull();
  });
});
