import { Form, Link, Outlet, useNavigation } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppBarMenu } from './app-bar-menu.tsx';

afterEach(cleanup);

function Page() {
  return (
    <>
      <AppBarMenu label="Account" icon="user">
        <p>Signed in</p>
        <button type="button">Shortcuts</button>
      </AppBarMenu>
      <Link to="/other">Other page</Link>
      <Form method="post">
        <button type="submit">{useNavigation().state === 'idle' ? 'Save' : 'Saving'}</button>
      </Form>
      <Outlet />
    </>
  );
}

/** Renders a page with a menu that somebody has opened. */
async function openMenu() {
  let loads = 0;
  const Stub = createRemixStub([
    {
      ...{ path: '/', Component: Page, action: async () => 'saved', loader: async () => ++loads },
      children: [{ path: 'other', Component: () => <h1>Other</h1> }],
    },
  ]);
  render(<Stub />);
  const menu = (await screen.findByText('Signed in')).closest('details')!;
  menu.open = true;
  return { menu, loads: () => loads };
}

it('stays open while the result of a form is loading on the same page', async () => {
  const { menu, loads } = await openMenu();
  // Not by pointer, which would close the menu.
  fireEvent.submit(screen.getByText('Save').closest('form')!);
  await screen.findByText('Saving');
  await screen.findByText('Save');
  expect(loads()).toBe(2);
  expect(menu.open).toBe(true);
});

it('closes on another page', async () => {
  const { menu } = await openMenu();
  fireEvent.click(screen.getByText('Other page'));
  await screen.findByText('Other');
  expect(menu.open).toBe(false);
});

it.each([
  ['Shortcuts', false],
  ['Signed in', true],
])('a click on %s leaves it open: %s', async (text, isOpen) => {
  const { menu } = await openMenu();
  const clicked = screen.getByText(text);
  clicked.focus();
  fireEvent.click(clicked);
  expect(menu.open).toBe(isOpen);
  if (!isOpen) expect(document.activeElement).toBe(menu.querySelector('summary'));
});

it('closes on Escape and on a click outside', async () => {
  const { menu } = await openMenu();
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(menu.open).toBe(true);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(menu.open).toBe(false);
  expect(document.activeElement).toBe(menu.querySelector('summary'));
  menu.open = true;
  fireEvent.pointerDown(screen.getByText('Save'));
  expect(menu.open).toBe(false);
});
