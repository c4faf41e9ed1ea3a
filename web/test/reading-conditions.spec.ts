// Tests how pages look on paper, on a low screen and with the few colors of the system.
import { expect, type Locator } from '@playwright/test';
import { mapInChunks } from '@yagura/core/http/chunks';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const scopes = '/api/apps/alerthub/scopes';
const rowsOf = (list: Locator) => list.locator('tbody tr[data-row]');

test('on paper a page has its content and times, and nothing to press', { tag: '@ja' }, async ({
  page,
  product,
  t,
  language,
}) => {
  const { scopeId } = await callApi(product, 'POST', scopes, { displayName: `Paper ${language}` });
  await callApi(product, 'POST', `${scopes}/${scopeId}/events`, { delta: 1 });
  await visit(page, product, `/apps/alerthub/scopes/${scopeId}`);
  await waitForHydration(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const tabs = page.getByRole('navigation', { name: t('ui.tabs') });
  await expect(tabs.getByRole('link').and(page.locator('[aria-current=page]'))).toBeVisible();
  await expect(tabs.getByRole('link').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: t('verb.back') })).toBeHidden();
  await expect(page.getByRole('button', { name: t('ui.menu') })).toBeHidden();

  await page.emulateMedia({ media: 'screen' });
  await page.goto(`${product.origin}/`);
  await waitForHydration(page);
  const time = page.locator('main table time').first();
  const contentAfter = () => time.evaluate((node) => getComputedStyle(node, '::after').content);
  // When it was printed is not on the paper, so an age says nothing there.
  await expect(time.locator('span')).not.toHaveText(/\d{4}/);
  await page.emulateMedia({ media: 'print' });
  await expect(time.locator('span')).toBeHidden();
  expect(await contentAfter()).toMatch(/\d{4}/);

  await page.goto(`${product.origin}/apps/alerthub/scopes`);
  await waitForHydration(page);
  const parts = page.locator('main table time').first().locator('span');
  await expect(parts).toHaveCount(2);
  await expect(parts.first()).toHaveText(/\d{4}/);
  await expect(parts.first()).toBeVisible();
  await expect(parts.last()).toBeHidden();
});

test('a list on a low screen scrolls with the page', { tag: '@ja' }, async ({ page, product, language }) => {
  const names = Array.from({ length: 10 }, (_, index) => `Low ${language} ${index}`);
  await mapInChunks(names, (displayName) => callApi(product, 'POST', scopes, { displayName }));
  // 1280 x 1024 pixels at 400 % (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 256 });
  await visit(page, product, '/apps/alerthub/scopes');
  const list = page.locator('div:has(> table)');
  await expect(rowsOf(list)).toHaveCount(10);
  const hidden = () => list.evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(await hidden()).toBe(0);
});

test('the option that Enter takes is seen without the colors of the page', { tag: '@en' }, async ({
  page,
  product,
  t,
}) => {
  // The combobox is used for lists of more than the items that a select can show well.
  const names = Array.from({ length: 40 }, (_, index) => `Option ${String(index).padStart(2, '0')}`);
  await mapInChunks(names, (displayName) => callApi(product, 'POST', scopes, { displayName }));
  await page.emulateMedia({ forcedColors: 'active' });
  await visit(page, product, '/apps/alerthub/receive-slots/recipes/anything');
  await waitForHydration(page);
  const scope = page.getByRole('combobox', { name: t('label.scopeId') });
  await expect(scope).toHaveJSProperty('tagName', 'INPUT');
  await scope.click();
  await page.keyboard.press('ArrowDown');
  const options = page.getByRole('option');
  const active = options.and(page.locator('[data-focus]'));
  await expect(active).toHaveCount(1);
  // The browser takes away any other background.
  expect(await active.evaluate((node) => getComputedStyle(node).forcedColorAdjust)).toBe('none');
});
