// Tests forms whose field refers to one of very many items.
import { expect } from '@playwright/test';
import { mapInChunks } from '@yagura/core/http/chunks';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

const api = '/api/apps/alerthub';

test('a field finds items beyond the first thousand', { tag: '@ja' }, async ({
  page,
  product,
  t,
  language,
  complaints,
}) => {
  const names = Array.from({ length: 1001 }, (_, index) => `${language} ${String(index).padStart(4, '0')}`);
  await mapInChunks(names, (displayName) => callApi(product, 'POST', `${api}/scopes`, { displayName }));
  const last = `zz ${language}`;
  await callApi(product, 'POST', `${api}/scopes`, { displayName: last });

  await visit(page, product, '/apps/alerthub/receive-slots/recipes/anything');
  await waitForHydration(page);
  const scope = page.getByRole('combobox', { name: t('label.scopeId') });
  // It replaces the native select once it is loaded.
  await expect(scope).toHaveJSProperty('tagName', 'INPUT');
  await scope.click();
  await expect(page.getByText(t('ui.not-all-options', { number: 1000 }))).toBeVisible();
  await scope.fill(last);
  await page.getByRole('option', { name: last }).click();
  await expect(scope).toHaveValue(last);
  await page.locator('[name=displayName]').fill(`Many ${language}`);
  await page.getByRole('button', { name: t('verb.create'), exact: true }).click();
  await expect(page.getByText(t('recipe.waiting'))).toBeVisible();

  // The form of an existing item knows the name of the item that it refers to.
  const filter = encodeURIComponent(`displayName eq "Many ${language} ${t('value.normal')}"`);
  const { items } = await callApi(product, 'GET', `${api}/rules?filter=${filter}`);
  await visit(page, product, `/apps/alerthub/rules/${(items as { ruleId: string }[])[0]!.ruleId}/edit`);
  await waitForHydration(page);
  await expect(page.getByRole('combobox', { name: t('label.scopeId') })).toHaveValue(last);
  expect(complaints).toEqual([]);
});
