import { muteSentence } from '@yagura/core/schedule/mute-sentence';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../../ui/test/render.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { MuteCalendar } from './mute-calendar.tsx';
import { MutePeriods } from './mute-periods.tsx';

const mute = {
  beginAt: '2028-03-05T22:00:00Z',
  endAt: '2028-03-06T06:00:00Z',
  rrule: 'FREQ=DAILY',
  timeZone: 'UTC',
};

function Periods({ isOver = false }) {
  const translation = useTranslation();
  const text = muteSentence(mute, translation, translation.t);
  return (
    <MutePeriods
      sentences={[{ id: 'm', name: 'Night', text, next: isOver ? [] : ['3/7/2028, 07:00'], isOver }]}
      timeZone="Asia/Tokyo"
    />
  );
}

it('names the zone of the next windows, which differs from that of the sentence', async () => {
  const { container } = await renderInRouter(<Periods />);
  expect(container.textContent).toContain('at 22:00 for 8 hours (UTC)');
  expect(container.textContent).toContain('Next: 3/7/2028, 07:00 (Asia/Tokyo)');
});

it('says that the last window has ended', async () => {
  const over = 'This is over and will not happen again.';
  expect((await renderInRouter(<Periods />)).container.textContent).not.toContain(over);
  expect((await renderInRouter(<Periods isOver />)).container.textContent).toContain(over);
});

it('names the zone of the calendar', async () => {
  const month = { name: '2028-03', before: '2028-02', after: '2028-04', lead: 2, days: [] };
  const { container } = await renderInRouter(
    <MuteCalendar month={month} windows={[]} timeZone="Asia/Tokyo" />,
  );
  expect(container.textContent).toContain('Mar 2028 · Asia/Tokyo');
});
