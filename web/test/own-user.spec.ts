// Tests the page of the signed-in user among the users of the space.
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

test('users can edit but not delete themselves', { tag: '@ja' }, async ({ page, product, t }) => {
  const { items } = await callApi(product, 'GET', '/api/space/users?limit=1');
  const [{ userId }] = items as [{ userId: string }];
  await visit(page, product, `/preference/users/${userId}`);
  await waitForHydration(page);
  await page
    .locator('main')
    .getByRole('button', { name: t('ui.menu') })
    .click();
  await expect(page.getByRole('menuitem', { name: t('verb.edit') })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: t('verb.delete') })).toHaveCount(0);
});
