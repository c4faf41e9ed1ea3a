// Tests the page of a live session in a real browser: typing, size, several users, reconnecting, questions and files.
import { mkdir } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Translate } from '@yagura/core/i18n/translator';
import { type Product, test, visit } from '../product-fixture.ts';
import { StubSession } from './stub-session.ts';

const shotFolder = process.env.YAGURA_WALK_SHOTS;

const address = (stub: StubSession) => `/apps/greac/connect/${stub.sessionId}`;
const screen = (page: Page) => page.locator('.xterm-rows');

const join = (page: Page, product: Product, stub: StubSession) => visit(page, product, address(stub));

async function shoot(page: Page, name: string): Promise<void> {
  if (!shotFolder) return;
  await mkdir(shotFolder, { recursive: true });
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: joinPath(shotFolder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Both pages have the same user. */
async function ownName(page: Page, t: Translate): Promise<string> {
  const shown = await page
    .getByRole('region', { name: t('terminal.viewers') })
    .getByRole('listitem')
    .first();
  const own = (await shown.innerText()).split('\n')[0]!;
  return own.replace(t('terminal.you', { name: '' }), '');
}

/** Another browser with its own storage. */
async function otherPage(browser: Browser, product: Product): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await visit(page, product, '/apps/greac/sessions');
  return page;
}

test('what is typed reaches the destination, Japanese included, and the size follows the window', async ({
  page,
  product,
  language,
  complaints,
}) => {
  const stub = await StubSession.open(product);
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('echo ');
  await page.keyboard.insertText('こんにちは櫓');
  await expect(screen(page)).toContainText('echo こんにちは櫓');
  expect(stub.typed.join('')).toBe('echo こんにちは櫓');
  const before = stub.sizes.at(-1)!;
  await page.setViewportSize({ width: 700, height: 500 });
  await expect.poll(() => stub.sizes.at(-1)!.columns).toBeLessThan(before.columns);
  expect(before.columns).toBeGreaterThan(100);
  await stub.show(
    '\r\n\x1b[1;32maoi@web1\x1b[0m:\x1b[34m~\x1b[0m$ ls\r\n\x1b[31merror\x1b[0m 日本語.txt\r\n$ ',
  );
  await shoot(page, `terminal-${language}`);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the keyboard leaves the terminal with Ctrl+F6, and Tab goes to the destination', {
  tag: '@ja',
}, async ({ page, product }) => {
  const stub = await StubSession.open(product);
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => stub.typed.join('')).toBe('\t');
  await page.keyboard.press('Control+F6');
  await expect(page.locator('header button').first()).toBeFocused();
});

test('the scrollback is searched by keyboard, up and down', { tag: '@ja' }, async ({ page, product, t }) => {
  const stub = await StubSession.open(product);
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  lines[20] = '港の櫓 one';
  lines[150] = '港の櫓 two';
  await stub.show(`\r\n${lines.join('\r\n')}\r\n`);
  await expect(screen(page)).toContainText('line 299');
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.press('Control+Shift+F');
  const search = page.getByRole('searchbox', { name: t('terminal.search') });
  await expect(search).toBeFocused();
  await page.keyboard.insertText('港の櫓');
  await page.keyboard.press('Enter');
  await expect(screen(page)).toContainText('港の櫓 two');
  await page.keyboard.press('Enter');
  await expect(screen(page)).toContainText('港の櫓 one');
  await expect(screen(page)).not.toContainText('two');
  await page.keyboard.press('Shift+Enter');
  await expect(screen(page)).toContainText('港の櫓 two');
  const previous = page.getByRole('button', { name: t('terminal.search-previous') });
  await previous.press('Enter');
  await expect(screen(page)).toContainText('港の櫓 one');
  await search.fill('nowhere');
  await search.press('Enter');
  await expect(page.getByText(t('terminal.search-none'))).toBeVisible();
  await search.press('Escape');
  await expect(search).toHaveCount(0);
  await expect(page.locator('.xterm-helper-textarea')).toBeFocused();
  // Nothing of the search was typed at the destination.
  expect(stub.typed).toEqual([]);
  await page.keyboard.type('q');
  await expect.poll(() => stub.typed).toEqual(['q']);
});

test('two users share a session: one watches, asks for control and gets it', { tag: '@en' }, async ({
  page,
  browser,
  product,
  t,
}) => {
  const stub = await StubSession.open(product);
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  const second = await otherPage(browser, product);
  await join(second, product, stub);
  await expect(screen(second)).toContainText('$');
  await second.locator('.xterm-helper-textarea').focus();
  await second.keyboard.type('no');
  await second.getByRole('button', { name: t('terminal.request'), exact: true }).click();
  const name = await ownName(page, t);
  await page.getByRole('button', { name: t('terminal.give', { name }) }).click();
  await expect(page.getByText(t('terminal.watching'))).toBeVisible();
  await expect(second.getByText(t('terminal.watching'))).toBeHidden();
  await second.locator('.xterm-helper-textarea').focus();
  await second.keyboard.type('yes');
  await expect(screen(page)).toContainText('$ yes');
  expect(stub.typed.join('')).toBe('yes');
  await second.context().close();
});

test('a lost connection comes back with the screen as it was', { tag: '@ja' }, async ({
  page,
  product,
  t,
}) => {
  const stub = await StubSession.open(product);
  await join(page, product, stub);
  await stub.show('before');
  await expect(screen(page)).toContainText('before');
  await stub.disconnect();
  await expect(page.getByText(t('terminal.reconnecting'))).toBeVisible();
  await stub.reconnect();
  await expect(page.getByText(t('terminal.reconnecting'))).toBeHidden();
  await stub.show(' after');
  await expect(screen(page)).toContainText('$ before after');
  await stub.end();
  await expect(page.getByRole('button', { name: t('terminal.again') })).toBeVisible();
});

test('an unknown host key and several pasted lines are asked about first', async ({
  page,
  product,
  t,
  language,
}) => {
  const stub = await StubSession.open(product);
  stub.hostKey = 'SHA256:uNiVztksCsDhcc0u9e8BrOJXVGDQ0jXwwQYrfYMBZ5k';
  await join(page, product, stub);
  await expect(page.getByText(stub.hostKey)).toBeVisible();
  await shoot(page, `host-key-${language}`);
  await page.getByRole('button', { name: t('terminal.accept') }).click();
  await expect(screen(page)).toContainText('$');
  const paste = (text: string) =>
    page.locator('.xterm-helper-textarea').evaluate((node, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste('one');
  await expect.poll(() => stub.typed.join('')).toBe('one');
  await paste('rm a\nrm b\n');
  await expect(page.getByText(t('terminal.paste-title'))).toBeVisible();
  await page.getByRole('button', { name: t('verb.cancel') }).click();
  await paste('ls\npwd');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('terminal.paste') })
    .click();
  await expect.poll(() => stub.typed.join('')).toBe('onels\rpwd');
});

test('pasting can be disabled by the destination', { tag: '@en' }, async ({ page, product, t }) => {
  const stub = await StubSession.open(product, {
    disablePaste: true,
    colorScheme: 'black-white',
    fontSize: 18,
  });
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  await page.locator('.xterm-helper-textarea').evaluate((node) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'secret');
    node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText(t('terminal.no-paste'))).toBeVisible();
  expect(stub.typed).toEqual([]);
  await expect(page.locator('.xterm-scrollable-element')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test('files are listed, downloaded and uploaded', { tag: '@ja' }, async ({ page, product, t, language }) => {
  const stub = await StubSession.open(product);
  const modifiedAt = '2026-01-31T09:00:00Z';
  stub.files = [
    { name: '日報.txt', kind: 'file', size: 5, modifiedAt },
    { name: 'logs', kind: 'directory', size: null, modifiedAt },
  ];
  stub.content = Buffer.from('hello');
  // Chromium would ask where to save.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await join(page, product, stub);
  await expect(screen(page)).toContainText('$');
  await page.getByRole('button', { name: t('files.title') }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: t('files.download', { name: '日報.txt' }) }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('日報.txt');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('hello');
  const content = Buffer.alloc(100_000, 'x');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'big.bin', mimeType: 'application/octet-stream', buffer: content });
  await expect.poll(() => Buffer.concat(stub.uploaded).equals(content)).toBe(true);
  await expect(page.getByText(t('files.done'), { exact: true })).toHaveCount(2);
  await shoot(page, `files-${language}`);
});
