import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import Schedules from './schedules.tsx';

const schedule = {
  taskScheduleId: 't',
  displayName: 'Nightly scan',
  recurrence: { frequency: 'day', hour: 22, minute: 0, timeZone: 'UTC' },
  oneshot: null,
  disabled: false,
  nextRunAt: '2028-03-01T22:00:00Z',
};

it('names the zone of the next run, which differs from that of the schedule', async () => {
  const data = { schedules: [schedule], path: '/schedules', may: {} };
  await renderInRouter(<Schedules />, { loader: () => data });
  const row = (await screen.findByText('Nightly scan')).closest('li')!;
  expect(row.textContent).toContain('Every day at 22:00 (UTC)');
  expect(row.textContent).toMatch(/3\/2\/2028, 07:00.*Asia\/Tokyo/);
});
