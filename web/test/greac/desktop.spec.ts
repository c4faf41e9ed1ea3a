// A real desktop (freerdp-shadow) in a real browser, through the real gateway.
import { join as joinPath } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hasDesktop, startRealDesktop } from '../../../agent/test/sessions/real-desktop.ts';
import { hasXrdp, startRealXrdp } from '../../../agent/test/sessions/real-xrdp.ts';
import { test, visit } from '../product-fixture.ts';
import { RealGateway } from './real-gateway.ts';

const shotFolder = process.env.YAGURA_WALK_SHOTS;

/** The picture, read from a copy so that the canvas stays as it is. */
const picture = (page: Page) =>
  page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(Math.max(canvas.width, 1), Math.max(canvas.height, 1));
    const context = copy.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const pixels = new Uint32Array(data.buffer);
    let hash = 0;
    for (const pixel of pixels) hash = (Math.imul(hash, 31) + pixel) | 0;
    return { size: `${copy.width}x${copy.height}`, colors: new Set(pixels).size, hash };
  });

const pointerOf = (page: Page) => page.locator('canvas').evaluate((canvas) => canvas.style.cursor);

/** The host may draw the same content with other pixels when it draws all of it again. */
const showSame = async (one: Page, other: Page) => {
  const [first, second] = [await picture(one), await picture(other)];
  return first.colors > 2 && first.hash === second.hash;
};

/** The picture once it is no longer `before` and nothing more is drawn: the host draws a key after the program got it. */
async function pictureAfter(page: Page, before: Awaited<ReturnType<typeof picture>>) {
  let last = before;
  await expect
    .poll(
      async () => {
        const current = await picture(page);
        const isSettled = current.hash !== before.hash && current.hash === last.hash;
        last = current;
        return isSettled;
      },
      { intervals: [500] },
    )
    .toBe(true);
  return last;
}

async function shoot(page: Page, name: string): Promise<void> {
  if (shotFolder) await page.screenshot({ path: joinPath(shotFolder, `${name}.png`) });
}

test('a desktop is shown and takes keys, a second viewer sees the same picture, and its recording plays', {
  tag: '@ja',
}, async ({ page, browser, product, language, t }) => {
  test.skip(!hasDesktop, 'freerdp-shadow, Xtigervnc or xterm is missing');
  const desktop = await startRealDesktop();
  const gateway = await RealGateway.start(product, [desktop.port]);
  try {
    await gateway.post('/api/apps/greac/log-keys/refresh', {});
    const sessionId = await gateway.openDesktop(desktop.port, desktop.account);
    const kroker = () => gateway.get(`/api/apps/kroker/krokers/${gateway.krokerId}`);
    await expect.poll(async () => (await kroker()).connectionState).toBe('connected');
    await visit(page, product, `/apps/greac/connect/${sessionId}`);
    await expect(page.getByText(t('terminal.certificate-text'))).toBeVisible();
    await page.getByRole('button', { name: t('terminal.accept') }).click();
    await expect.poll(async () => (await picture(page)).colors).toBeGreaterThan(2);
    await page.getByRole('application').click();
    await page.keyboard.type('typed 42');
    await expect.poll(() => desktop.typed()).toBe('typed 42');
    // This host takes neither characters nor a clipboard.
    const input = await page.context().newCDPSession(page);
    await input.send('Input.insertText', { text: '日本' });
    await expect(page.getByText(t('terminal.composed-refused'))).toBeVisible();
    const context = await browser.newContext();
    const second = await context.newPage();
    await visit(second, product, '/apps/greac/sessions');
    // From another page of the console: the policy of that page does not allow the desktop.
    await second.goto(`${product.origin}/apps/greac/sessions/${sessionId}`);
    await second.getByRole('link', { name: t('terminal.watch') }).click();
    await expect.poll(() => showSame(page, second)).toBe(true);
    expect((await picture(second)).size).toBe('800x600');
    await second.getByRole('application').focus();
    await second.keyboard.type('no');
    await page.getByRole('application').focus();
    let live = await picture(page);
    for (const part of [' and mor', 'e']) {
      await page.keyboard.type(part);
      live = await pictureAfter(page, live);
    }
    await expect.poll(() => desktop.typed()).toBe('typed 42 and more');
    await expect.poll(() => showSame(page, second)).toBe(true);
    await shoot(second, `desktop-watched-${language}`);
    await page.keyboard.press('Control+F6');
    await expect(page.locator('header button').first()).toBeFocused();
    await shoot(page, `desktop-${language}`);
    expect(await picture(page)).toEqual(live);
    await context.close();
    await gateway.post(`/api/apps/greac/sessions/${sessionId}/close`, {});
    await expect(page.getByRole('button', { name: t('terminal.again') })).toBeVisible();
    const stored = page.getByRole('button', { name: t('recording.use-stored') });
    const position = page.getByRole('slider', { name: t('recording.position') });
    // The gateway uploads the last part after the session has ended.
    await expect(async () => {
      await page.goto(`${product.origin}/apps/greac/sessions/${sessionId}/logs`);
      await stored.click({ timeout: 2000 });
      await position.press('End');
      await expect.poll(() => picture(page), { timeout: 5000 }).toEqual(live);
    }).toPass({ timeout: 60_000 });
    await shoot(page, `desktop-recorded-${language}`);
    for (const secret of ['right-secret', 'typed 42']) expect(gateway.log).not.toContain(secret);
  } finally {
    await gateway.close();
    await desktop.close();
  }
});

test('text is composed, pasted and copied on a desktop', { tag: '@ja' }, async ({
  page,
  product,
  language,
  t,
}) => {
  test.skip(!hasXrdp, 'xrdp, Xtigervnc or xterm is missing, or this is not root');
  const xrdp = await startRealXrdp();
  const gateway = await RealGateway.start(product, [xrdp.port]);
  try {
    await gateway.post('/api/apps/greac/log-keys/refresh', {});
    const account = { username: 'ops', password: 'right-secret' };
    const parameters = { ignoreCert: true };
    const sessionId = await gateway.openDesktop(xrdp.port, account, { parameters });
    const kroker = () => gateway.get(`/api/apps/kroker/krokers/${gateway.krokerId}`);
    await expect.poll(async () => (await kroker()).connectionState).toBe('connected');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.origin });
    await visit(page, product, `/apps/greac/connect/${sessionId}`);
    await expect.poll(async () => (await picture(page)).colors, { timeout: 20_000 }).toBeGreaterThan(2);
    await page.getByRole('application').click();
    // The pointer is that of the terminal on the desktop.
    await expect.poll(() => pointerOf(page)).toMatch(/^url\("data:image\/png;base64,.+"\) 4 8, default$/);
    await page.keyboard.type('typed ');
    await expect.poll(() => xrdp.typed()).toBe('typed ');
    // An input method composes; only what it ends with is typed.
    const browser = await page.context().newCDPSession(page);
    const range = { selectionStart: 0, selectionEnd: 0 };
    await browser.send('Input.imeSetComposition', { text: 'ko', ...range });
    await browser.send('Input.imeSetComposition', { text: 'kana', ...range });
    await browser.send('Input.insertText', { text: 'kana' });
    await expect.poll(() => xrdp.typed()).toBe('typed kana');
    // xrdp says that it takes characters, and types those of the keyboard layout only.
    await browser.send('Input.insertText', { text: '日本' });
    await expect(page.getByText(t('terminal.composed-hint'))).toBeVisible();
    await page.getByRole('button', { name: t('terminal.more') }).click();
    await page.getByRole('menuitemcheckbox', { name: t('terminal.paste-composed') }).click();
    await shoot(page, `desktop-composed-${language}`);
    await browser.send('Input.insertText', { text: ' 日本' });
    await expect.poll(() => xrdp.typed()).toBe('typed kana 日本');
    await page.evaluate(() => navigator.clipboard.writeText(' 貼り付け'));
    await page.keyboard.press('Control+V');
    await expect.poll(() => xrdp.typed()).toBe('typed kana 日本 貼り付け');
    xrdp.show(`\x1b]52;c;${Buffer.from('コピー').toString('base64')}\x07`);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('コピー');
    await page.keyboard.press('Control+V');
    await expect.poll(() => xrdp.typed()).toBe('typed kana 日本 貼り付けコピー');
    await page.getByRole('button', { name: t('terminal.more') }).click();
    await expect(page.getByRole('menuitem', { name: t('terminal.desktop-copy') })).toBeDisabled();
    await shoot(page, 'desktop-menu');
  } finally {
    await gateway.close();
    await xrdp.close();
  }
});

test('a recording of a desktop shows the same picture after a jump as after playing', { tag: '@en' }, async ({
  page,
  browser,
  product,
  t,
}) => {
  test.skip(!hasXrdp, 'xrdp, Xtigervnc or xterm is missing, or this is not root');
  const xrdp = await startRealXrdp();
  const gateway = await RealGateway.start(product, [xrdp.port]);
  try {
    await gateway.post('/api/apps/greac/log-keys/refresh', {});
    const kroker = () => gateway.get(`/api/apps/kroker/krokers/${gateway.krokerId}`);
    await expect.poll(async () => (await kroker()).connectionState).toBe('connected');
    const account = { username: 'ops', password: 'right-secret' };
    const sessionId = await gateway.openDesktop(xrdp.port, account, { parameters: { ignoreCert: true } });
    await visit(page, product, `/apps/greac/connect/${sessionId}`);
    await expect.poll(async () => (await picture(page)).colors, { timeout: 20_000 }).toBeGreaterThan(2);
    let live = await picture(page);
    for (let screen = 0; screen < 6; screen += 1) {
      const lines = Array.from(
        { length: 20 },
        (_, line) => `\x1b[48;5;${17 + screen * 20 + line}m\x1b[K${screen}`,
      );
      xrdp.show(`\x1b[H${lines.join('\r\n')}`);
      live = await pictureAfter(page, live);
      if (screen !== 2) continue;
      // For who comes later, the host paints everything: from here on, nothing before is needed.
      const context = await browser.newContext();
      const watcher = await context.newPage();
      await visit(watcher, product, `/apps/greac/connect/${sessionId}?mode=watch`);
      await expect.poll(() => showSame(page, watcher)).toBe(true);
      await context.close();
    }
    await gateway.post(`/api/apps/greac/sessions/${sessionId}/close`, {});
    await expect(async () => {
      await page.goto(`${product.origin}/apps/greac/sessions/${sessionId}/logs`);
      await expect(page.getByText(t('recording.log-complete', { count: 1 }))).toBeVisible();
    }).toPass({ timeout: 30_000 });
    await page.getByRole('button', { name: t('recording.use-stored') }).click();
    const position = page.getByRole('slider', { name: t('recording.position') });
    const blank = await picture(page);
    // Playing draws everything, without key frames.
    await page.getByRole('combobox', { name: t('recording.speed') }).selectOption('16');
    await page.getByRole('button', { name: t('recording.play') }).click();
    await expect(page.getByRole('button', { name: t('recording.play') })).toBeVisible({ timeout: 30_000 });
    const played = await pictureAfter(page, blank);
    expect(played.colors).toBeGreaterThan(20);
    await position.press('Home');
    await pictureAfter(page, played);
    await position.press('End');
    await expect.poll(() => picture(page)).toEqual(played);
    await shoot(page, 'desktop-log');
    await page.setViewportSize({ width: 360, height: 740 });
    await shoot(page, 'desktop-log-narrow');
  } finally {
    await gateway.close();
    await xrdp.close();
  }
});
