// The first page in a browser is rendered in UTC until the browser reports its time zone; form values must
// keep the same instant.

import { cleanup, render } from '@testing-library/react';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { afterEach, expect, it } from 'vitest';
import { readForm } from '../field/form-data.ts';
import { formDataOf } from '../test/render.tsx';
import { TranslationProvider } from '../translation.tsx';
import { DateTimeInput } from './date-time-input.tsx';
import { RruleInput } from './rrule-input.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';
import { TimeZoneInput } from './time-zone-input.tsx';

afterEach(cleanup);

const moment = '2030-01-31T15:30:00Z';
const about = { 'aria-invalid': undefined, 'aria-describedby': undefined, 'aria-required': undefined };
const common = { required: true, nullable: true } as const;

it.each(['Asia/Tokyo', 'America/New_York'])('the zone turns out to be %s', async (zone) => {
  const dictionary = await loadTranslations('en');
  const page = (timeZone: string) => (
    <TranslationProvider language="en" translations={dictionary} timeZone={timeZone}>
      <form>
        <DateTimeInput control={{ id: 'at', name: 'at', ...about }} value={moment} required />
        <ScheduleEditor value={{ oneshot: moment, recurrence: null }} />
        <TimeZoneInput control={{ id: 'zone', name: 'zone', ...about }} value={undefined} required />
      </form>
    </TranslationProvider>
  );
  const { container, rerender } = render(page('UTC'));
  rerender(page(zone));
  const read = readForm(formDataOf(container), {
    at: { kind: 'date-time', ...common },
    oneshot: { kind: 'date-time', ...common },
    zone: { kind: 'time-zone', ...common },
  });
  expect(new Date(String(read.at)).toISOString()).toBe('2030-01-31T15:30:00.000Z');
  expect(new Date(String(read.oneshot)).toISOString()).toBe('2030-01-31T15:30:00.000Z');
  expect(read.zone).toBe(zone);
});

it.each([
  ['the second of two hours', '2030-10-27T01:30:00Z'],
  ['seconds', '2030-10-27T12:30:45Z'],
])('a form that is sent as it was shown keeps %s', async (_what, instant) => {
  const { container } = render(
    <TranslationProvider language="en" translations={await loadTranslations('en')} timeZone="Europe/Berlin">
      <form>
        <DateTimeInput control={{ id: 'at', name: 'at', ...about }} value={instant} required />
        <ScheduleEditor value={{ oneshot: instant, recurrence: null }} />
      </form>
    </TranslationProvider>,
  );
  const fields = { kind: 'date-time', ...common } as const;
  const read = readForm(formDataOf(container), { at: fields, oneshot: fields });
  expect(read).toEqual({ at: instant, oneshot: instant });
});

it('a repetition is described from the times as they are, not as they are shown', async () => {
  const field = (name: string) => ({ id: name, name, ...about });
  const { container } = render(
    <TranslationProvider language="en" translations={await loadTranslations('en')} timeZone="Europe/Berlin">
      <form>
        <DateTimeInput control={field('beginAt')} value="2030-10-27T01:30:00Z" required />
        <DateTimeInput control={field('endAt')} value="2030-10-27T02:30:00Z" required />
        <RruleInput control={field('rrule')} value="FREQ=DAILY" />
      </form>
    </TranslationProvider>,
  );
  expect(container.textContent).toContain('at 01:30 for 1 hour (UTC)');
});
