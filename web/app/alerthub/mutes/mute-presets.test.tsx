import { screen } from '@testing-library/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { Form } from '../../ui/form/form.tsx';
import { formDataOf, renderInRouter } from '../../ui/test/render.tsx';
import { TranslationProvider } from '../../ui/translation.tsx';
import { MutePresets } from './mute-presets.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2028-03-05T12:34:56Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const { form } = screenMeta(muteSchedule);

async function renderForm(language: 'en' | 'ja' = 'en', timeZone = 'Asia/Tokyo') {
  const translations = await loadTranslations(language);
  const view = await renderInRouter(
    <TranslationProvider language={language} translations={translations} timeZone={timeZone}>
      <Form meta={form}>
        <MutePresets />
      </Form>
    </TranslationProvider>,
    { language },
  );
  return { ...view, read: () => readForm(formDataOf(view.container), form) };
}

it('fills a period from now that is not shorter than chosen, and a name', async () => {
  const { user, read } = await renderForm();
  await user.click(screen.getByRole('button', { name: '1 hour' }));
  expect(read()).toMatchObject({
    displayName: 'Mute 2028/03/05 21:34',
    beginAt: '2028-03-05T12:34:00.000Z',
    endAt: '2028-03-05T13:35:00.000Z',
    rrule: null,
  });
  expect(muteSchedule.input?.safeParse(read()).success).toBe(true);
  vi.setSystemTime(Date.parse('2028-03-05T12:40:00Z'));
  await user.click(screen.getByRole('button', { name: '30 minutes' }));
  expect(read()).toMatchObject({
    displayName: 'Mute 2028/03/05 21:40',
    beginAt: '2028-03-05T12:40:00.000Z',
    endAt: '2028-03-05T13:10:00.000Z',
  });
});

it('keeps a name that was typed', async () => {
  const { user, read } = await renderForm('ja');
  await user.type(screen.getByRole('textbox', { name: /^名前/ }), '計画作業');
  await user.click(screen.getByRole('button', { name: '4時間' }));
  expect(read()).toMatchObject({ displayName: '計画作業', endAt: '2028-03-05T16:35:00.000Z' });
});

it('fills the chosen period in the hour that the clocks repeat', async () => {
  // 02:15 in summer time; an hour later it is 02:15 again.
  vi.setSystemTime(Date.parse('2028-10-29T00:15:00Z'));
  const { user, read } = await renderForm('en', 'Europe/Berlin');
  await user.click(screen.getByRole('button', { name: '1 hour' }));
  expect(read()).toMatchObject({ beginAt: '2028-10-29T00:15:00.000Z', endAt: '2028-10-29T01:15:00.000Z' });
  vi.setSystemTime(Date.parse('2028-10-29T01:15:00Z'));
  await user.click(screen.getByRole('button', { name: '30 minutes' }));
  expect(read()).toMatchObject({ beginAt: '2028-10-29T01:15:00.000Z', endAt: '2028-10-29T01:45:00.000Z' });
});
