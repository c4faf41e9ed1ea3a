// Tests sign-in in a real browser: two-step verification, recovery codes, remembered browsers, passkeys on a
// virtual device, too many failures.
import { type CDPSession, expect, type Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { type Product, test, visit } from './product-fixture.ts';

const profile = '/preference/profile';

/** Returns a profile section by its heading. */
const sectionOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

async function signOut(page: Page, product: Product): Promise<void> {
  // An open page would redirect to the sign-in by itself.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(product.origin + profile);
  await expect(page.locator('input[type=email]')).toBeVisible();
}

async function enterPassword(page: Page, product: Product): Promise<void> {
  await page.locator('input[type=email]').fill(product.email);
  await page.locator('input[type=password]').fill(product.password);
  await page.locator('button[type=submit]').first().click();
}

/** Simulates a return to the tab, which reloads the page data as a change does. */
async function waitForRefresh(page: Page): Promise<void> {
  const loaded = page.waitForResponse((answer) => answer.url().includes('profile.data'));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await loaded;
}

const waitForHome = (page: Page, product: Product) => page.waitForURL(`${product.origin}${profile}`);

test('two steps: a code, a recovery code, a remembered browser, off again', async ({
  page,
  product,
  t,
  complaints,
}) => {
  await visit(page, product, profile);
  const section = sectionOf(page, t('factor.heading'));
  const own = (name: string) => section.getByLabel(name);
  await own(t('factor.password')).fill('Wrong-horse-7');
  await section.getByRole('button', { name: t('factor.set-up') }).click();
  await expect(section.getByText(t('card.wrong-password'))).toBeVisible();
  await own(t('factor.password')).fill(product.password);
  await section.getByRole('button', { name: t('factor.set-up') }).click();
  const secret = await section.locator('code').innerText();
  await expect(section.locator('img')).toBeVisible();
  await waitForRefresh(page);
  expect(await section.locator('code').innerText()).toBe(secret);
  const totp = new TOTP({ secret });
  const stepNow = () => totp.counter({ timestamp: Date.now() });
  let step = stepNow() - 2;
  /** A code works only once; those of the step before and the step after the current one are accepted, too. */
  const code = async () => {
    step = Math.max(step + 1, stepNow() - 1);
    await expect.poll(stepNow, { timeout: 40_000, intervals: [500] }).toBeGreaterThanOrEqual(step - 1);
    return totp.generate({ timestamp: step * totp.period * 1000 });
  };
  await own(t('factor.code')).fill(await code());
  await section.getByRole('button', { name: t('factor.turn-on') }).click();
  const codes = section.locator('[data-recovery-codes] li');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  await waitForRefresh(page);
  await expect(codes).toHaveCount(10);
  await page.reload();
  await expect(codes).toHaveCount(0);
  await expect(section.getByText(t('factor.codes-left', { count: 10 }))).toBeVisible();

  await test.step('a recovery code works once', async () => {
    await signOut(page, product);
    await enterPassword(page, product);
    await expect(page.getByRole('heading', { name: t('factor.title') })).toBeVisible();
    await page.locator('#code').fill('000000');
    await page.getByRole('button', { name: t('factor.submit') }).click();
    await expect(page.getByRole('alert')).toHaveText(t('factor.wrong-code'));
    await page.locator('#code').fill(recovery);
    await page.getByRole('button', { name: t('factor.submit') }).click();
    await waitForHome(page, product);
    await expect(section.getByText(t('factor.codes-left', { count: 9 }))).toBeVisible();
    await signOut(page, product);
    await enterPassword(page, product);
    await page.locator('#code').fill(recovery);
    await page.getByRole('button', { name: t('factor.submit') }).click();
    await expect(page.getByRole('alert')).toHaveText(t('factor.wrong-code'));
  });

  await test.step('a remembered browser is not asked again, until it is forgotten', async () => {
    await page.locator('#code').fill(await code());
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: t('factor.submit') }).click();
    await waitForHome(page, product);
    const kept = (await page.context().cookies()).filter(({ name }) => /_browser$/.test(name));
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    await signOut(page, product);
    await page.context().addCookies(kept);
    await page.goto(product.origin + profile);
    await enterPassword(page, product);
    await waitForHome(page, product);
    await section.getByRole('button', { name: t('factor.forget-browsers') }).click();
    await expect(section.getByRole('button', { name: t('factor.forget-browsers') })).toHaveCount(0);
    await signOut(page, product);
    await page.context().addCookies(kept);
    await page.goto(product.origin + profile);
    await enterPassword(page, product);
    await expect(page.getByRole('heading', { name: t('factor.title') })).toBeVisible();
    await page.locator('#code').fill(await code());
    await page.getByRole('button', { name: t('factor.submit') }).click();
    await waitForHome(page, product);
  });

  const off = section
    .locator('form')
    .filter({ has: page.getByRole('button', { name: t('factor.turn-off') }) });
  await off.getByLabel(t('factor.password')).fill(product.password);
  await section.getByRole('button', { name: t('factor.turn-off') }).click();
  await expect(section.getByText(t('factor.off'), { exact: true })).toHaveCount(0);
  await off.getByLabel(t('factor.password')).fill(product.password);
  await off.getByLabel(t('factor.code')).fill(await code());
  await section.getByRole('button', { name: t('factor.turn-off') }).click();
  await expect(section.getByText(t('factor.off'), { exact: true })).toBeVisible();
  expect(complaints.filter((line) => !/status of 400/.test(line))).toEqual([]);
});

test('a passkey is made, renamed, signs in alone, is refused when cloned, and is removed', {
  tag: '@en',
}, async ({ page, product, t, complaints }) => {
  const session = await page.context().newCDPSession(page);
  const { authenticatorId } = await addVirtualAuthenticator(session);
  await visit(page, product, profile);
  const section = sectionOf(page, t('factor.passkeys'));
  await section.getByLabel(t('label.displayName')).fill('Laptop');
  await section.getByLabel(t('factor.password')).fill(product.password);
  await section.getByRole('button', { name: t('factor.add-passkey') }).click();
  await expect(section.getByText('Laptop')).toBeVisible();

  await test.step('a device that has one is told apart from one that fails', async () => {
    await section.getByLabel(t('label.displayName')).fill('Laptop again');
    await section.getByLabel(t('factor.password')).fill(product.password);
    await section.getByRole('button', { name: t('factor.add-passkey') }).click();
    await expect(section.getByText(t('factor.passkey-known'))).toBeVisible();
  });

  await test.step('a name that is taken is refused before the device creates another one', async () => {
    await section.getByLabel(t('label.displayName')).fill('laptop');
    await section.getByLabel(t('factor.password')).fill(product.password);
    const other = await addVirtualAuthenticator(session, 'usb');
    await section.getByRole('button', { name: t('factor.add-passkey') }).click();
    await expect(section.getByText(t('rule.keyExists'))).toBeVisible();
    const made = await session.send('WebAuthn.getCredentials', other);
    expect(made.credentials).toEqual([]);
    await expect(section.getByText(t('factor.passkey-known'))).toHaveCount(0);
    await session.send('WebAuthn.removeVirtualAuthenticator', other);
  });

  await test.step('it is renamed', async () => {
    await expect(section.getByText(t('text.never'))).toBeVisible();
    await section.getByRole('button', { name: t('factor.rename-passkey') }).click();
    const row = section.getByRole('listitem');
    await row.getByLabel(t('label.displayName')).fill('Work laptop');
    await row.getByRole('button', { name: t('verb.save') }).click();
    await expect(row.getByText('Work laptop')).toBeVisible();
    await expect(row.getByRole('button', { name: t('factor.rename-passkey') })).toBeVisible();
  });

  const usePasskey = async () => {
    await signOut(page, product);
    await page.getByRole('button', { name: t('factor.use-passkey') }).click();
  };
  await usePasskey();
  await waitForHome(page, product);

  await test.step('one whose counter goes back was copied, and lets nobody in', async () => {
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    await session.send('WebAuthn.removeCredential', {
      authenticatorId,
      credentialId: credential!.credentialId,
    });
    await session.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential!, signCount: 0 },
    });
    await usePasskey();
    await expect(page.getByRole('alert').filter({ hasText: t('factor.wrong-passkey') })).toBeVisible();
    await session.send('WebAuthn.removeCredential', {
      authenticatorId,
      credentialId: credential!.credentialId,
    });
    await session.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential!, signCount: 100 },
    });
    await usePasskey();
    await waitForHome(page, product);
  });

  await test.step('as the second step, it remembers the browser as a code does', async () => {
    const twoSteps = sectionOf(page, t('factor.heading'));
    await twoSteps.getByLabel(t('factor.password')).fill(product.password);
    await twoSteps.getByRole('button', { name: t('factor.set-up') }).click();
    const totp = new TOTP({ secret: await twoSteps.locator('code').innerText() });
    await twoSteps.getByLabel(t('factor.code')).fill(totp.generate());
    await twoSteps.getByRole('button', { name: t('factor.turn-on') }).click();
    const recovery = await twoSteps.locator('[data-recovery-codes] li').first().innerText();
    await signOut(page, product);
    await enterPassword(page, product);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: t('factor.use-passkey') }).click();
    await waitForHome(page, product);
    const kept = (await page.context().cookies()).filter(({ name }) => /_browser$/.test(name));
    await signOut(page, product);
    await page.context().addCookies(kept);
    await page.goto(product.origin + profile);
    await enterPassword(page, product);
    await waitForHome(page, product);
    const off = twoSteps
      .locator('form')
      .filter({ has: page.getByRole('button', { name: t('factor.turn-off') }) });
    await off.getByLabel(t('factor.password')).fill(product.password);
    await off.getByLabel(t('factor.code')).fill(recovery);
    await off.getByRole('button', { name: t('factor.turn-off') }).click();
    await expect(twoSteps.getByText(t('factor.off'), { exact: true })).toBeVisible();
  });

  await test.step('removed, it is offered no more', async () => {
    const remove = section.getByRole('button', { name: t('verb.delete') });
    await remove.click();
    const proof = section.getByRole('listitem').getByLabel(t('factor.password'));
    await proof.fill('Wrong-horse-7');
    await remove.click();
    await expect(section.getByText(t('card.wrong-password'))).toBeVisible();
    await proof.fill(product.password);
    await remove.click();
    await expect(section.getByText(t('factor.no-passkeys'))).toBeVisible();
    await signOut(page, product);
    await expect(page.getByRole('button', { name: t('factor.use-passkey') })).toHaveCount(0);
  });
  expect(complaints.filter((line) => !/status of 4(00|09)/.test(line))).toEqual([]);
});

test('no script of the page can read a credential', { tag: '@ja' }, async ({ page, product }) => {
  await visit(page, product, profile);
  const cookies = await page.context().cookies();
  const session = cookies.filter(({ name }) => /session/.test(name));
  expect(session.length).toBeGreaterThan(0);
  expect(session.filter(({ httpOnly }) => !httpOnly)).toEqual([]);
  const secrets = [product.password, product.token, ...session.map(({ value }) => value)];
  for (const path of [profile, '/', '/preference/api-token', '/preference/users', '/apps/alerthub/actions']) {
    await page.goto(product.origin + path);
    const seen = await page.evaluate(async () => {
      const kept = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => url),
        ),
      );
      const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
      return [document.cookie, document.documentElement.outerHTML, JSON.stringify(kept), ...stores].join(
        '\n',
      );
    });
    expect(seen.length).toBeGreaterThan(5_000);
    for (const secret of secrets) expect(seen).not.toContain(secret);
    // No token of the product, of any user.
    expect(seen).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}\./);
  }
});

test('nothing typed is lost when the session ends, and it is sent after the sign-in', { tag: '@en' }, async ({
  page,
  product,
  t,
  language,
}) => {
  const create = '/apps/alerthub/scopes/new';
  await visit(page, product, create);
  const name = `typed before the end ${language}`;
  await page.getByLabel(t('label.displayName')).fill(name);
  await page.context().clearCookies();
  await page.locator('main form button[type=submit]').click();
  const dialog = page.getByRole('dialog', { name: t('shell.signed-out') });
  await expect(dialog).toBeVisible();
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    dialog.getByRole('link', { name: t('shell.signed-out-tab') }).click(),
  ]);
  await other.locator('input[type=email]').fill(product.email);
  await other.locator('input[type=password]').fill(product.password);
  await other.locator('button[type=submit]').first().click();
  await other.waitForURL(product.origin + create);
  await other.close();
  await page.bringToFront();
  await dialog
    .getByRole('button', { name: t('shell.send-again') })
    .click({ timeout: 5_000 })
    .catch(() => {
      // The tab has noticed the new sign-in by itself.
    });
  await page.waitForURL(/\/apps\/alerthub\/scopes\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('five wrong passwords make everybody with this name wait, and the page says how long', async ({
  page,
  product,
  t,
  language,
}) => {
  await page.goto(product.origin + profile);
  const email = `guessed-${language}@example.com`;
  for (let failure = 1; failure <= 5; failure++) {
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(`Wrong-horse-${failure}`);
    await page.locator('button[type=submit]').first().click();
    await expect(page.getByRole('alert')).toBeVisible();
  }
  await expect(page.getByRole('alert')).toHaveText(t('signin.wait-seconds', { count: 30 }));
  await expect(page.locator('input[type=email]')).toHaveValue(email);
  await enterPassword(page, product);
  await waitForHome(page, product);
});

/** Virtual authenticator with a fingerprint reader (WebAuthn Level 3, section 11). */
async function addVirtualAuthenticator(session: CDPSession, transport: 'internal' | 'usb' = 'internal') {
  await session.send('WebAuthn.enable');
  return session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
