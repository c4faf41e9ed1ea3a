// The form of a callflow: quiet hours are entered, refused with the name of the field, changed and removed.
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const pigeon = '/api/apps/pigeon';

test('quiet hours of a callflow are changed in its form', { tag: '@ja' }, async ({
  page,
  product,
  t,
  language,
  complaints,
}) => {
  const { contactId } = await callApi(product, 'POST', `${pigeon}/contacts`, {
    displayName: `Quiet ${language}`,
    phones: [{ phoneNumber: '0312345678' }],
  });
  const { callflowId } = await callApi(product, 'POST', `${pigeon}/callflows`, {
    displayName: `Quiet ${language}`,
    contacts: [{ contactId }],
  });
  const screen = `/apps/pigeon/callflows/${callflowId}`;
  const saved = () => callApi(product, 'GET', `${pigeon}/callflows/${callflowId}`);
  const quiet = page.getByRole('group', { name: t('label.quietHours'), exact: true });
  const row = (number: number) => quiet.getByRole('group', { name: t('ui.row', { number }), exact: true });
  const save = async () => {
    await page.locator('main form button[type=submit]').first().click();
  };

  await visit(page, product, `${screen}/edit`);
  await waitForHydration(page);
  await quiet.getByRole('button', { name: t('ui.add-to', { name: t('label.quietHours') }) }).click();
  // A new row gets the focus.
  await expect(row(1).locator(':focus')).toHaveCount(1);
  for (const day of ['saturday', 'sunday'] as const)
    await row(1)
      .getByLabel(t(`schedule.day.${day}`))
      .press('Space');
  await row(1).getByLabel(t('label.endTime')).fill('25:00');
  await quiet.getByLabel(t('label.timeZone')).fill('Asia/Tokyo');
  await page.getByLabel(t('label.endsAfterFailedTransfer')).check();
  await save();
  await expect(row(1).getByLabel(t('label.endTime'))).toHaveAttribute('aria-invalid', 'true');
  expect(await saved()).toMatchObject({ quietHours: null, endsAfterFailedTransfer: false });
  await row(1).getByLabel(t('label.endTime')).fill('07:30');
  await save();
  await page.waitForURL(`**${screen}`);
  await expect(page.getByRole('main')).toContainText('22:00–07:30 Asia/Tokyo');
  const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  expect(await saved()).toMatchObject({
    endsAfterFailedTransfer: true,
    quietHours: { timeZone: 'Asia/Tokyo', windows: [{ weekDays, startTime: '22:00', endTime: '07:30' }] },
  });

  await visit(page, product, `${screen}/edit`);
  await waitForHydration(page);
  await row(1)
    .getByRole('button', { name: t('ui.remove-row', { number: 1 }) })
    .click();
  await save();
  await page.waitForURL(`**${screen}`);
  expect((await saved()).quietHours).toBeNull();
  // The browser notes the refused form.
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
});
