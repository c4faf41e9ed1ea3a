import { fireEvent, screen } from '@testing-library/react';
import type { QuietHours } from '@yagura/core/schedule/quiet-hours';
import { expect, test } from 'vitest';
import { renderInRouter } from '../ui/test/render.tsx';
import { QuietHoursField } from './quiet-hours-field.tsx';
import { QuietHoursText } from './quiet-hours-text.tsx';

const hours: QuietHours = {
  timeZone: 'Asia/Tokyo',
  windows: [
    { weekDays: ['friday', 'monday'], startTime: '22:00', endTime: '07:00' },
    { weekDays: ['sunday'], startTime: '00:00', endTime: '12:00' },
  ],
};

const sent = (container: HTMLElement) =>
  JSON.parse(container.querySelector<HTMLInputElement>('input[name="quietHours.$json"]')!.value) as unknown;

test('the form sends the windows as they are edited, and null without any', async () => {
  const { container } = await renderInRouter(<QuietHoursField value={hours} />);
  expect(sent(container)).toEqual(hours);
  fireEvent.change(screen.getAllByLabelText(/^Ends at/)[1]!, { target: { value: '13:30' } });
  fireEvent.click(screen.getAllByLabelText('Tuesday')[1]!);
  fireEvent.click(screen.getByRole('button', { name: 'Remove row 1' }));
  expect(sent(container)).toEqual({
    timeZone: 'Asia/Tokyo',
    windows: [{ weekDays: ['tuesday', 'sunday'], startTime: '00:00', endTime: '13:30' }],
  });
  fireEvent.click(screen.getByRole('button', { name: 'Remove row 1' }));
  expect(sent(container)).toBeNull();
  expect(screen.queryByLabelText(/^Time zone/)).toBeNull();
});

test('a new callflow has none, and gets every night first', async () => {
  const { container } = await renderInRouter(<QuietHoursField value={null} />);
  expect(sent(container)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /Quiet hours/ }));
  expect(sent(container)).toMatchObject({ windows: [{ startTime: '22:00', endTime: '07:00' }] });
});

test('the page of a callflow shows a line for each window', async () => {
  await renderInRouter(<QuietHoursText hours={hours} />, { language: 'ja' });
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '月・金 22:00–07:00 Asia/Tokyo',
    '日 00:00–12:00 Asia/Tokyo',
  ]);
});
