import { Link, useNavigate } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useRef, useState } from 'react';
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
  // In as many frames as the list would need to draw it.
  for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
  const expected = focused ? screen.getByRole('link', { name: focused }) : document.body;
  expect(document.activeElement).toBe(expected);
});

it.each(['ctrlKey', 'metaKey', 'shiftKey'])(
  'a link that opens another tab (%s) is not remembered',
  async (key) => {
    const Stub = createRemixStub([{ path: '/things', Component: List }]);
    render(<Stub initialEntries={['/things']} />);
    fireEvent.click(await screen.findByRole('link', { name: 'Beta' }), { [key]: true });
    expect(window.history.state?.openedLink).toBeUndefined();
  },
);

/** Like a long table: the row is drawn once the list has been scrolled to it. */
function LongList() {
  const box = useRef<HTMLDivElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  useReturnFocus(box);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setIsDrawn(box.current!.scrollTop === 700));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div ref={box} data-testid="box">
      <Link to="/things/a">Alpha</Link>
      {isDrawn && <Link to="/things/b">Beta</Link>}
      <button type="button" onClick={() => setIsDrawn(true)}>
        Draw
      </button>
    </div>
  );
}

it('the list is scrolled to where it was, and its row gets the focus once it is drawn', async () => {
  const Stub = createRemixStub([
    { path: '/things', Component: LongList },
    { path: '/things/:id', Component: Item },
  ]);
  render(<Stub initialEntries={['/things']} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Draw' }));
  screen.getByTestId('box').scrollTop = 700;
  screen.getByRole('link', { name: 'Beta' }).focus();
  await user.keyboard('{Enter}');
  (await screen.findByRole('button', { name: 'Back' })).focus();
  await user.keyboard('{Enter}');
  const link = await screen.findByRole('link', { name: 'Beta' });
  await waitFor(() => expect(document.activeElement).toBe(link));
  expect(screen.getByTestId('box').scrollTop).toBe(700);
});
