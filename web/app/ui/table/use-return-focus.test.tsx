import { Link, useNavigate } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { expect, it } from 'vitest';
import { useReturnFocus } from './use-return-focus.ts';

function List() {
  const box = useRef<HTMLDivElement>(null);
  useReturnFocus(box);
  return (
    <div ref={box}>
      <Link to="/things/a">Alpha</Link>
      <Link to="/things/b">Beta</Link>
    </div>
  );
}

function Item() {
  const navigate = useNavigate();
  return (
    <>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <button type="button" onClick={() => navigate('/things')}>
        List
      </button>
    </>
  );
}

it.each([
  ['Back', 'Beta'],
  ['List', null],
])('after the item of a row was opened, %s leads to the focus at %s', async (way, focused) => {
  const Stub = createRemixStub([
    { path: '/things', Component: List },
    { path: '/things/:id', Component: Item },
  ]);
  render(<Stub initialEntries={['/things']} />);
  const user = userEvent.setup();
  const link = await screen.findByRole('link', { name: 'Beta' });
  link.focus();
  await user.keyboard('{Enter}');
  const button = await screen.findByRole('button', { name: way });
  button.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('link', { name: 'Alpha' });
  const expected = focused ? screen.getByRole('link', { name: focused }) : document.body;
  expect(document.activeElement).toBe(expected);
});
