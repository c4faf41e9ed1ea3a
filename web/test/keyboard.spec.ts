// Tests the main tasks with the keyboard only, with a visible focus indicator at every step.

import { expect, type Locator, type Page } from '@playwright/test';
import { scope } from '@yagura/core/alerthub/scope';
import { dataKey } from '@yagura/core/i18n/message-key';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

/** Maximum Tab presses to reach a control. */
const maxSteps = 90;

/** Moves the focus until the target has it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < maxSteps; step++) {
    const look = await target.evaluate((node) => {
      if (node !== document.activeElement) return null;
      const { outlineStyle, boxShadow } = getComputedStyle(node);
      return outlineStyle !== 'none' || boxShadow !== 'none';
    });
    if (look !== null) return expect(look, 'the focus is seen').toBe(true);
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached in ${maxSteps} steps`);
}

/** Opens a page and waits for hydration. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForHydration(page);
}

/** Focuses a control and presses a key, Enter by default. */
async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Focuses a field and replaces its content. */
async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

test('ten tasks are done with the keyboard alone', async ({ page, product, t, language, complaints }) => {
  test.setTimeout(240_000);
  const { keyboard } = page;
  const server = { origin: product.origin, token: product.token };
  const name = `Keyboard ${language}`;
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });
  const field = (label: string) =>
    page
      .locator('main form')
      // From its beginning: "End" is part of "Open the calendar" as well.
      .getByLabel(new RegExp(`^${t(dataKey(`label.${label}`))}`))
      .first();
  const menu = page.locator('main').getByRole('button', { name: t('ui.menu') });
  const dialog = page.getByRole('dialog');

  await test.step('sign in', async () => {
    await page.goto(`${product.origin}/apps/alerthub/messages`);
    await expect(page.locator('input[type=email]')).toBeFocused();
    await keyboard.type(product.email);
    await keyboard.press('Tab');
    await keyboard.type(product.password);
    await keyboard.press('Enter');
    await page.waitForURL(`${product.origin}/apps/alerthub/messages`);
    await waitForHydration(page);
  });

  await test.step('find a screen in the palette', async () => {
    await expect(async () => {
      await keyboard.press('Control+k');
      await expect(dialog.getByRole('combobox')).toBeFocused({ timeout: 2000 });
    }).toPass();
    const noun = language === 'ja' ? scope.noun.ja : scope.noun.en[0];
    const wanted = t('web.create-title', { noun });
    await keyboard.type(wanted);
    await expect(dialog.getByRole('option', { selected: true })).toContainText(wanted);
    await keyboard.press('Enter');
    await expect(heading(wanted)).toBeVisible();
  });

  await test.step('create', async () => {
    await write(page, field('displayName'), name);
    await keyboard.press('Enter');
    await expect(heading(name)).toBeVisible();
  });
  const scopePath = new URL(page.url()).pathname;

  await test.step('edit', async () => {
    await open(page, `${product.origin}${scopePath}/settings`);
    await write(page, field('displayName'), `${name} 2`);
    await keyboard.press('Enter');
    await expect(heading(`${name} 2`)).toBeVisible();
  });

  await test.step('mute a scope', async () => {
    await open(page, `${product.origin}${scopePath}/mute-schedules`);
    await press(page, page.locator('main').getByRole('link', { name: t('verb.create') }));
    await page.waitForURL(/\/new$/);
    await write(page, field('displayName'), `${name} mute`);
    await write(page, field('beginAt'), '2030/01/01 00:00');
    await write(page, field('endAt'), '2030/01/01 06:00');
    await keyboard.press('Enter');
    await expect(heading(`${name} mute`)).toBeVisible();
  });

  await test.step('filter and sort a list', async () => {
    for (const number of [1, 2, 3])
      await callApi(server, 'POST', '/api/apps/alerthub/actions', {
        displayName: `${name} ${number}`,
        kind: 'webhook',
        parameters: { url: 'http://127.0.0.1:9/hook', method: 'POST', body: '' },
      });
    await open(page, `${product.origin}/apps/alerthub/actions`);
    await tabTo(page, page.locator('main search input[type=search]'));
    await keyboard.type(`displayName co "${name}"`);
    await keyboard.press('Enter');
    await expect(page.locator('[data-row]')).toHaveCount(3);
    const sort = page.getByRole('link', { name: t('label.displayName'), exact: true });
    await press(page, sort);
    await page.waitForURL(/sort=/);
    await expect(page.getByRole('columnheader', { name: t('label.displayName') })).toHaveAttribute(
      'aria-sort',
      /ending/,
    );
  });

  await test.step('tick several rows and delete them', async () => {
    await tabTo(page, page.locator('[data-row-link]').first());
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await keyboard.press('Space');
    await expect(page.getByText(t('ui.selected', { number: 2 }))).toBeVisible();
    await press(page, page.locator('main').getByRole('button', { name: t('verb.delete'), exact: true }));
    await press(page, dialog.getByRole('button', { name: t('verb.delete'), exact: true }));
    await expect(page.locator('[data-row]')).toHaveCount(1);
  });

  await test.step('delete', async () => {
    if (await dialog.isVisible()) await keyboard.press('Escape');
    await press(page, page.locator('[data-row-link]').first());
    await expect(heading(name)).toBeVisible();
    // ArrowUp opens a menu at its last item.
    await press(page, menu, 'ArrowUp');
    await expect(page.getByRole('menuitem', { name: t('verb.delete') })).toBeFocused();
    await keyboard.press('Enter');
    await press(page, dialog.getByRole('button', { name: t('verb.delete'), exact: true }));
    await page.waitForURL(`${product.origin}/apps/alerthub/actions`);
  });

  await test.step('ask why', async () => {
    const slot = await callApi(server, 'POST', '/api/apps/alerthub/receive-slots', {
      displayName: name,
      kind: 'webhook',
    });
    await fetch(String(slot.primary), { method: 'POST', body: JSON.stringify({ text: name }) });
    await open(page, `${product.origin}/apps/alerthub/messages`);
    await press(page, page.getByRole('row').filter({ hasText: name }).locator('[data-row-link]').first());
    await press(page, page.getByRole('link', { name: t('page.why'), exact: true }));
    await expect(page.getByRole('region', { name: t('alerthub.why') })).toBeVisible();
  });

  await test.step('sign out', async () => {
    await press(page, page.locator(`summary[aria-label="${t('shell.account')}"]`));
    await press(page, page.getByRole('button', { name: t('verb.sign-out') }));
    // The session at the provider has ended too, so it asks for the password.
    await page.waitForURL(`${product.origin}/oidc/interaction/**`);
    await expect(page.locator('input[type=password]')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('returning from an item to its list gives the focus back to its row', { tag: '@en' }, async ({
  page,
  product,
  language,
}) => {
  const names = ['first', 'second'].map((which) => `Return to the ${which} ${language}`);
  for (const displayName of names) await callApi(product, 'POST', scope.path, { displayName });
  await visit(page, product, '/apps/alerthub/scopes');
  const link = page.getByRole('link', { name: names[1]! });
  await press(page, link);
  await expect(page.getByRole('heading', { level: 1, name: names[1]! })).toBeVisible();
  await page.goBack();
  await expect(link).toBeFocused();
});
