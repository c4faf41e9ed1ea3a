// Tests the way from a recipe to the first message of its sender.
import { expect } from '@playwright/test';
import { test, visit } from './product-fixture.ts';

test('a recipe makes a slot and its rules, and waits for the first message', async ({
  page,
  product,
  t,
  language,
  complaints,
}) => {
  const name = `Alerts ${language}`;
  await test.step('choose the recipe', async () => {
    await visit(page, product, '/apps/alerthub/receive-slots');
    await page.getByRole('link', { name: t('recipe.from') }).click();
    await expect(page.getByRole('link', { name: 'Zabbix' })).toBeVisible();
    await page.getByLabel(t('recipe.search')).fill('alertmanager');
    await expect(page.getByRole('link', { name: 'Zabbix' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Prometheus Alertmanager' }).click();
  });

  await test.step('name the slot and a new scope', async () => {
    await page.locator('[name=displayName]').fill(name);
    await page.getByLabel(t('label.newScopeName')).fill('');
    await page.getByRole('button', { name: t('verb.create'), exact: true }).click();
    await expect(page.getByText(t('recipe.scope-missing'))).toBeVisible();
    await page.getByLabel(t('label.newScopeName')).fill(name);
    await page.getByRole('button', { name: t('verb.create'), exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  });

  const snippet = await page.locator('pre').innerText();
  await test.step('send the first message', async () => {
    await expect(page.getByText(t('recipe.waiting'))).toBeVisible();
    const address = /http\S+\/receive\/webhook\/\S+/.exec(snippet)![0];
    const alerts = [{ status: 'firing', labels: { alertname: 'HostDown' }, fingerprint: 'f' }];
    const reply = await fetch(address, { method: 'POST', body: JSON.stringify({ alerts }) });
    expect(reply.status).toBe(202);
    await expect(page.getByText(t('recipe.arrived'))).toBeVisible();
  });

  await test.step('the scope has the severity', async () => {
    await visit(page, product, '/apps/alerthub/scopes');
    await page.getByRole('link', { name }).click();
    await expect(page.getByText('HostDown').first()).toBeVisible();
  });
  // The form without a scope was rejected.
  expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')]);
});
