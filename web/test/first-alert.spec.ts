// Tests the way from an empty space to an alert: everything is created in the browser, a message is received
// and a delivery is sent.

import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { dataKey } from '@yagura/core/i18n/message-key';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

test('a message becomes an incident, a delivery and an explanation', async ({
  page,
  product,
  sink,
  t,
  language,
  complaints,
}) => {
  const name = (text: string) => `${text} ${language}`;
  const label = (field: string) => page.getByLabel(t(dataKey(`label.${field}`)), { exact: false });
  const create = () => page.getByRole('button', { name: t('verb.create'), exact: true }).click();
  const heading = (text: string) => expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible();

  await test.step('sign in and come back to the wanted page', async () => {
    await visit(page, product, '/apps/alerthub/receive-slots/new');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });

  await test.step('create a receive slot', async () => {
    await label('displayName').fill(name('Monitoring'));
    await create();
    await heading(name('Monitoring'));
  });
  const address = await page
    .getByText(/\/receive\/webhook\//)
    .first()
    .innerText();

  await test.step('create a scope', async () => {
    await visit(page, product, '/apps/alerthub/scopes/new');
    await label('displayName').fill(name('Core switch'));
    await create();
    await heading(name('Core switch'));
  });
  const scope = new URL(page.url()).pathname;

  await test.step('create a rule', async () => {
    await visit(page, product, '/apps/alerthub/rules/new');
    await label('displayName').first().fill(name('Level is high'));
    await page.getByLabel(t('label.receiveSlotId')).selectOption({ label: name('Monitoring') });
    await page.getByRole('button', { name: t('alerthub.add-step') }).click();
    const step = page.getByRole('combobox', { name: t('alerthub.step', { number: 1 }) });
    await step.selectOption('number-compare');
    await page.getByLabel(t('operator.number-compare.source')).fill('message.content.data.level');
    await page.getByLabel(t('operator.number-compare.comparison')).selectOption('ge');
    await page.getByLabel(t('operator.number-compare.value')).fill('3');
    await page
      .getByRole('button', { name: t('alerthub.add-event') })
      .first()
      .click();
    await page
      .getByRole('combobox', { name: t('label.scopeId') })
      .selectOption({ label: name('Core switch') });
    await page.getByLabel(t('label.delta')).fill('2');
    await create();
    await heading(name('Level is high'));
  });

  await test.step('create a webhook action', async () => {
    await visit(page, product, '/apps/alerthub/actions/new');
    await label('displayName').first().fill(name('Tell the chat'));
    await page.getByLabel(t('label.kind')).selectOption('webhook');
    await page.getByRole('textbox', { name: t('label.url') }).fill(sink.url);
    await page
      .getByRole('textbox', { name: t('label.body') })
      .fill('{{{scope.displayName}}} {{event.status}} {{message.content.data.level}}');
    await create();
    await heading(name('Tell the chat'));
  });

  await test.step('create a trigger', async () => {
    await visit(page, product, `${scope}/triggers`);
    await page.getByRole('link', { name: t('verb.create') }).click();
    await label('displayName').first().fill(name('Call the team'));
    await page.getByLabel(t('label.actionId')).selectOption({ label: name('Tell the chat') });
    await create();
    await heading(name('Call the team'));
  });

  const post = async (level: number, text: string) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ level, text }) });
    expect(reply.status).toBe(202);
  };

  await test.step('a message that comes before the stream of changes is open is not missed', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const asked = page.waitForRequest('**/changes');
    await page.route('**/changes', (route) => opened.then(() => route.continue()));
    await visit(page, product, '/apps/alerthub/messages');
    await asked;
    await post(1, name('The fan is slow'));
    open();
    await expect(page.getByText(name('The fan is slow'))).toBeVisible();
    await page.unroute('**/changes');
  });

  await test.step('a message shows up without a reload', async () => {
    await post(5, name('The switch is down'));
    await expect(page.getByText(name('The switch is down'))).toBeVisible();
  });

  await test.step('the incident is on home and on the scope', async () => {
    await visit(page, product, '/');
    const row = page
      .getByRole('row')
      .filter({ hasText: name('Core switch') })
      .first();
    await expect(row).toContainText(t('value.incident'));
    await visit(page, product, scope);
    await expect(page.getByRole('banner').or(page.locator('main'))).toContainText([t('value.incident')]);
  });

  await test.step('whoever takes care of it acknowledges it, and home names them', async () => {
    const acknowledge = { name: t('acknowledge.button'), exact: true };
    await page.getByRole('button', acknowledge).click();
    const dialog = page.getByRole('dialog');
    const { violations } = await new AxeBuilder({ page }).withTags(axeTags).analyze();
    expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))).toEqual([]);
    await dialog.getByLabel(t('label.note')).fill(name('Replacing the fan'));
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(page.locator('main')).toContainText(name('Replacing the fan'));
    await expect(page.getByRole('button', { name: t('acknowledge.withdraw') })).toBeVisible();
    await expect(page.getByRole('button', acknowledge)).toBeHidden();
    await visit(page, product, '/');
    const row = page.getByRole('row').filter({ hasText: name('Core switch') });
    await expect(row.first()).toContainText('Administrator');
  });

  await test.step('the acknowledgement is withdrawn, and given again on home, with the keyboard', async () => {
    const withdraw = { name: t('acknowledge.withdraw') };
    await visit(page, product, scope);
    await page.getByRole('button', withdraw).click();
    await page.getByRole('dialog').getByRole('button', withdraw).click();
    await expect(page.getByRole('button', { name: t('acknowledge.button'), exact: true })).toBeVisible();
    await visit(page, product, '/');
    const row = page.getByRole('row').filter({ hasText: name('Core switch') });
    const button = row.first().getByRole('button', { name: t('acknowledge.button') });
    await button.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('label.note')).fill(name('Replacing the fan'));
    const { violations } = await new AxeBuilder({ page }).withTags(axeTags).analyze();
    expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => node.html) }))).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(row.first()).toContainText('Administrator');
    await expect(button).toBeHidden();
    await expect(page).toHaveURL(new URL('/', product.origin).href);
    await expect(page.getByRole('region', { name: t('page.troubled-scopes') })).toBeFocused();
  });

  await test.step('the delivery has reached its address, filled in', async () => {
    await expect
      .poll(() => sink.received.map(({ body }) => body))
      .toContain(`${name('Core switch')} incident 5`);
  });

  await test.step('why names the rule, the operator and the trigger', async () => {
    await visit(page, product, '/apps/alerthub/messages');
    await page
      .getByRole('row')
      .filter({ hasText: name('The switch is down') })
      .locator('[data-row-link]')
      .click();
    await page.getByRole('link', { name: t('page.why'), exact: true }).click();
    const why = page.getByRole('region', { name: t('alerthub.why') });
    await expect(why).toContainText(name('Level is high'));
    await expect(why).toContainText(t('operator.number-compare'));
    await expect(why).toContainText(name('Call the team'));
  });

  await test.step('a rule can be made for the message', async () => {
    await page.getByRole('link', { name: t('alerthub.create-rule') }).click();
    await expect(page.getByLabel(t('label.receiveSlotId'))).not.toHaveValue('');
    await expect(page.getByLabel(t('test.message'))).toContainText(name('The switch is down'));
    await expect(page.locator('option[value="message.content.data.level"]').first()).toBeAttached();
  });

  expect(complaints).toEqual([]);
});

test.describe('before the scripts have loaded', () => {
  // A service worker would serve the scripts that the test holds back.
  test.use({ serviceWorkers: 'block' });

  test('what is entered is kept', { tag: '@en' }, async ({ page, product, complaints, t }) => {
    const slot = { displayName: 'Early slot', remarks: 'before', kind: 'webhook' };
    const { receiveSlotId } = await callApi(product, 'POST', '/api/apps/alerthub/receive-slots', slot);
    const label = (field: string) => page.getByLabel(t(dataKey(`label.${field}`)), { exact: false }).first();
    const openSlowly = async (path: string) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/assets/**/*.js', async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(product.origin + path, { waitUntil: 'commit' });
      return async () => {
        release();
        await waitForHydration(page);
        await page.unrouteAll({ behavior: 'wait' });
      };
    };
    await visit(page, product, '/');

    const load = await openSlowly(`/apps/alerthub/receive-slots/${receiveSlotId}/edit`);
    await label('displayName').fill('Renamed early');
    await label('remarks').fill('typed early');
    await label('disabled').check();
    await load();
    await expect(label('displayName')).toHaveValue('Renamed early');
    await expect(label('remarks')).toHaveValue('typed early');
    await expect(label('disabled')).toBeChecked();

    const loadNext = await openSlowly('/apps/alerthub/actions/new');
    await label('kind').selectOption('webhook');
    await loadNext();
    await expect(label('kind')).toHaveValue('webhook');
    await expect(page.getByRole('textbox', { name: 'URL' })).toBeVisible();
    expect(complaints).toEqual([]);
  });
});

for (const [colorScheme, tag] of [
  ['light', '@en'],
  ['dark', '@ja'],
] as const) {
  test(`main pages pass axe in ${colorScheme} ${tag}`, async ({ page, product, complaints }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of [
      '/',
      '/apps/alerthub/messages',
      '/apps/alerthub/scopes',
      '/apps/alerthub/rules/new',
      '/apps/alerthub/actions/new',
      '/preference/space',
      '/preference/api-token/new',
    ]) {
      await visit(page, product, path);
      const { violations } = await new AxeBuilder({ page }).withTags(axeTags).analyze();
      expect(violations.map(({ id, nodes }) => ({ path, id, at: nodes.map((node) => node.html) }))).toEqual(
        [],
      );
    }
    expect(complaints).toEqual([]);
  });
}
