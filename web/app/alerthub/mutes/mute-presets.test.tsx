import { screen } from '@testing-library/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { Form } from '../../ui/form/form.tsx';
import { formDataOf, renderInRouter } from '../../ui/test/render.tsx';
import { MutePresets } from './mute-presets.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2028-03-05T12:34:56Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const { form } = screenMeta(muteSchedule);

async function renderForm(language: 'en' | 'ja' = 'en') {
  const view = await renderInRouter(
    <Form meta={form}>
      <MutePresets />
    </Form>,
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
