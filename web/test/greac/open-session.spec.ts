// A session is opened by a page whose scripts have not loaded.
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { send } from '@yagura/core/http/transport';
import { test, visit } from '../product-fixture.ts';

test.use({ javaScriptEnabled: false });

test('a click before the scripts have loaded opens a session, or leads back', { tag: '@en' }, async ({
  page,
  product,
  t,
}) => {
  const headers = { 'x-authorization': `Token ${product.token}` };
  const transport = { fetch, origin: product.origin, headers: () => headers };
  const path = '/api/apps/greac/destinations';
  const body = { displayName: 'before hydration', host: 'before.example.com' };
  const { data } = await send<{ destinationId: string }>(transport, { method: 'POST', path, body });
  const { destinationId } = data;
  await visit(page, product, `/apps/greac/destinations/${destinationId}?remarks=why`);
  const connect = page.getByRole('button', { name: t('greac.connect'), exact: true });
  await connect.click();
  await page.waitForURL(/\/apps\/greac\/connect\/[\w-]+$/);

  await page.goto(`${product.origin}/apps/greac/destinations/${destinationId}?remarks=why`);
  // No message has this id, so the session is refused.
  await page.evaluate((id) => {
    document.querySelector<HTMLInputElement>('input[name=messageId]')!.value = id;
  }, randomUUID());
  await connect.click();
  await page.waitForURL(new RegExp(`/apps/greac/destinations/${destinationId}\\?remarks=why&messageId=`));
  await expect(connect).toBeVisible();
});
