// Tests sign-in and sign-out through an external provider (a certified implementation in its own process) in
// a real browser.

import { expect } from '@playwright/test';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { startExternalProvider } from '../../server/test/support/external-provider.ts';
import { startProduct, test, waitForHydration } from './product-fixture.ts';

test('who comes by the company is signed out there too, and is asked again', { tag: '@en' }, async ({
  page,
  t,
  language,
  complaints,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const email = `hana-${language}@example.com`;
  const outside = await startExternalProvider({
    clients: [
      {
        client_id: 'yagura',
        client_secret: 'a secret of the company',
        redirect_uris: [`${origin}/oidc/external`],
        post_logout_redirect_uris: [`${origin}/signed-out`],
      },
    ],
    people: { hana: { email, email_verified: true, name: 'Hana' } },
  });
  const product = await startProduct({
    PORT: String(port),
    YAGURA_OIDC_ISSUER: outside.issuer,
    YAGURA_OIDC_CLIENT_ID: 'yagura',
    YAGURA_OIDC_CLIENT_SECRET: 'a secret of the company',
    YAGURA_OIDC_NAME: 'Company',
    YAGURA_OIDC_CREATE_USERS: 'on',
  });
  try {
    const company = page.getByRole('button', { name: 'Company sign-in' });
    await page.goto(`${origin}/preference/profile`);
    await page.getByRole('link', { name: t('external.go', { provider: 'Company' }) }).click();
    await page.getByLabel('Name').fill('hana');
    await company.click();
    await page.waitForURL(`${origin}/preference/profile`);
    await expect(page.getByRole('main').getByText(email)).toBeVisible();

    // The user has no password here; signing in again at the external provider replaces it.
    const setUp = page.getByRole('button', { name: t('factor.set-up') });
    await expect(page.getByLabel(t('factor.password'))).toHaveCount(0);
    await expect(setUp).toHaveCount(0);
    await page
      .getByRole('button', { name: t('factor.sign-in-again') })
      .first()
      .click();
    await page.getByRole('link', { name: t('external.go', { provider: 'Company' }) }).click();
    await page.getByLabel('Name').fill('hana');
    await company.click();
    await page.waitForURL(`${origin}/preference/profile`);
    await expect(page.getByText(t('factor.proved')).first()).toBeVisible();
    await setUp.click();
    await expect(page.getByText(t('factor.scan'))).toBeVisible();

    await waitForHydration(page);
    await page.getByLabel(t('shell.account'), { exact: true }).click();
    await page.getByRole('button', { name: t('verb.sign-out'), exact: true }).click();
    await page.getByRole('button', { name: 'Company sign-out' }).click();
    await page.waitForURL(`${origin}/signed-out`);
    await expect(page.getByRole('heading', { name: t('page.signed-out') })).toBeVisible();

    await page.getByRole('link', { name: t('verb.sign-in') }).click();
    await page.getByRole('link', { name: t('external.go', { provider: 'Company' }) }).click();
    await expect(company).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await product.stop();
    await outside.close();
  }
});
