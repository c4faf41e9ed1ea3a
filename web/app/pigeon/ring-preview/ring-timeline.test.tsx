import { screen, within } from '@testing-library/react';
import type { PreviewCall, RingPreview } from '@yagura/core/pigeon/ring-preview';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { RingTimeline } from './ring-timeline.tsx';

const call = (values: Partial<PreviewCall>): PreviewCall => ({
  startsAt: 0,
  ringsAt: 1,
  answeredAt: null,
  endsAt: 31,
  loop: 1,
  position: 1,
  contact: { contactId: null, displayName: 'Ann' },
  phoneNumber: '********',
  transfer: false,
  keyInput: null,
  behavior: null,
  readings: 0,
  reason: 'noAnswer',
  status: 'missed',
  ...values,
});
const accepted = call({
  startsAt: 31,
  ringsAt: 32,
  answeredAt: 35,
  endsAt: 61,
  contact: { contactId: null, displayName: '' },
  keyInput: '1',
  behavior: 'terminate',
  reason: null,
  status: 'succeeded',
});
const preview: RingPreview = {
  rejection: null,
  calls: [call({}), accepted],
  status: 'succeeded',
  reason: 'terminated',
  endsAt: 61,
  isCut: false,
};

test('the table says what the picture shows', async () => {
  const { container } = await renderInRouter(<RingTimeline preview={preview} />);
  const rows = screen.getAllByRole('row').slice(1);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
  expect(cells).toEqual([
    ['0:00–0:31', 'Ann********', '1', 'Missed: No answer'],
    ['0:31–1:01', 'Unnamed contact********', '1', 'Key 1 pressed: Stop calling'],
  ]);
  expect(screen.getByText('Ends after 1:01: Stopped by a key')).toBeTruthy();
  const bars = [...container.querySelectorAll('figure section rect')].map((bar) => ({
    variant: bar.getAttribute('class'),
    width: Number(bar.getAttribute('width')),
  }));
  const [waited, rang, , , talked] = bars;
  expect(bars.map(({ variant }) => variant)).toEqual([
    'fill-line-strong/50',
    'fill-warning-fg',
    'fill-line-strong/50',
    'fill-warning-fg',
    'fill-success-fg',
  ]);
  expect(rang!.width / waited!.width).toBeCloseTo(30);
  expect(talked!.width / waited!.width).toBeCloseTo(26);
});

test('a preview in quiet hours says so', async () => {
  await renderInRouter(<RingTimeline preview={{ ...preview, rejection: 'Quiet until 07:00' }} />);
  expect(screen.getByRole('alert').textContent).toBe('Quiet until 07:00');
  expect(screen.getAllByRole('row')).toHaveLength(3);
});

test('a preview that does not reach the end says so, in Japanese as well', async () => {
  await renderInRouter(<RingTimeline preview={{ ...preview, isCut: true }} />, { language: 'ja' });
  expect(screen.getByText('最初の2件の通話を表示しています。')).toBeTruthy();
  expect(screen.getByRole('img', { name: /2件の通話のタイムライン/ })).toBeTruthy();
});
