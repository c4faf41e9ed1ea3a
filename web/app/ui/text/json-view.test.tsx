import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { JsonView } from './json-view.tsx';

const value = {
  rows: Array.from({ length: 105 }, (_, row) => (row === 103 ? { row, host: { name: 'needle' } } : row)),
  last: 'Needle',
};
const openAround = (mark: Element | null) => {
  for (let at = mark?.closest('details'); at; at = at.parentElement!.closest('details'))
    if (!at.open) return false;
  return true;
};

it('opens what holds a hit, goes from hit to hit by Enter and back, and clears by Escape', async () => {
  const { container } = await renderInRouter(<JsonView value={value} />);
  const input = container.querySelector('input')!;
  const status = () => container.querySelector('[role=status]')!.textContent;
  const current = () => container.querySelector('mark[data-current]');
  fireEvent.change(input, { target: { value: 'needle' } });
  expect([status(), current()?.textContent]).toEqual(['1 of 2', 'needle']);
  expect(openAround(current())).toBe(true);
  for (const [shiftKey, at, text] of [
    [false, '2 of 2', 'Needle'],
    [false, '1 of 2', 'needle'],
    [true, '2 of 2', 'Needle'],
  ] as const) {
    fireEvent.keyDown(input, { key: 'Enter', shiftKey });
    expect([status(), current()?.textContent]).toEqual([at, text]);
  }
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(input.value).toBe('');
  expect(container.querySelector('mark')).toBeNull();
});

it('says so when nothing matches, and leaves the steps out of use', async () => {
  await renderInRouter(<JsonView value={Array(9).fill('')} />, { language: 'ja' });
  const input = screen.getByRole('searchbox', { name: '値の中を検索' });
  fireEvent.change(input, { target: { value: 'absent' } });
  expect(screen.getByRole('status').textContent).toBe('一致する項目がありません');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '次の一致箇所' }).disabled).toBe(true);
});

it('has no search for what is seen at one glance', async () => {
  await renderInRouter(<JsonView value={{ one: 1 }} />);
  expect(screen.queryByRole('searchbox')).toBeNull();
});
