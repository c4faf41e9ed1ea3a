import { useNavigate } from '@remix-run/react';
import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { FilterBox } from './search-box.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const box = () => screen.getByRole<HTMLInputElement>('searchbox');
const type = (value: string) => fireEvent.change(box(), { target: { value } });

it('searches half a second after the last key, on the first page, keeping what else is asked for', async () => {
  const { address } = await renderInRouter(<FilterBox />, { path: '/list?sort=name&page=3' });
  type('we');
  await pass(400);
  type('web');
  await pass(499);
  expect(address()).toBe('/list?sort=name&page=3');
  await pass(1);
  expect(address()).toBe('/list?sort=name&search=web');
});

it('searches at once on Enter, and not again', async () => {
  const { address } = await renderInRouter(<FilterBox />, { path: '/list' });
  type('web');
  fireEvent.submit(box().form!);
  await pass(0);
  expect(address()).toBe('/list?search=web');
  type('we');
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await pass(1000);
  expect(address()).toBe('/list');
});

it('shows the text of the page that Back returns to, also while it has the focus', async () => {
  const Back = () => {
    const navigate = useNavigate();
    return (
      <button type="button" onClick={() => navigate(-1)}>
        back
      </button>
    );
  };
  const page = (
    <>
      <FilterBox />
      <Back />
    </>
  );
  const { address } = await renderInRouter(page, { path: '/list?page=2' });
  box().focus();
  type('cr');
  await pass(500);
  type('cron');
  await pass(500);
  expect(address()).toBe('/list?search=cron');
  fireEvent.click(screen.getByText('back'));
  await pass(0);
  expect([address(), box().value]).toEqual(['/list?page=2', '']);
  expect(document.activeElement).toBe(box());
});

it('a search that waits ends with the box', async () => {
  const Page = () => {
    const [isOpen, setOpen] = useState(true);
    return isOpen ? (
      <>
        <FilterBox />
        <button type="button" onClick={() => setOpen(false)}>
          leave
        </button>
      </>
    ) : null;
  };
  const { address } = await renderInRouter(<Page />, { path: '/list' });
  type('web');
  fireEvent.click(screen.getByText('leave'));
  await pass(1000);
  expect(address()).toBe('/list');
});

it('searches for what was typed before the scripts had loaded', async () => {
  const { address } = await renderInRouter(<FilterBox />, {
    path: '/list?search=old&page=3',
    beforeHydration(page) {
      page.querySelector('input')!.value = 'new';
    },
  });
  await pass(500);
  expect(address()).toBe('/list?search=new');
});
