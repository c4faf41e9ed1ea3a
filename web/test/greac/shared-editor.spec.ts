// An editor on a real host, shared by two browsers and a terminal.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { hasSshd, startRealSshd } from '../../../agent/test/sessions/real-sshd.ts';
import { test, visit } from '../product-fixture.ts';
import { RealGateway } from './real-gateway.ts';

const program = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const editor = '/usr/bin/vi';
const missing = [
  ...(hasSshd ? [] : ['sshd']),
  ...(existsSync(editor) ? [] : [editor]),
  ...(spawnSync('tmux', ['-V']).error ? ['tmux'] : []),
];
/** Smaller than the pages, so that the terminal shows the part around the cursor. */
const size = { columns: 80, rows: 12 };

const rows = (page: Page) => page.locator('.xterm-rows');
const focus = (page: Page) => page.locator('.xterm-helper-textarea').focus();

test('two browsers and a terminal share one editor and hand it over', { tag: '@ja' }, async ({
  page,
  browser,
  product,
  t,
}) => {
  test.skip(missing.length > 0, `not here: ${missing.join(', ')}`);
  const sshd = await startRealSshd();
  const gateway = await RealGateway.start(product, [sshd.port]);
  const socket = `yagura-editor-${process.pid}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  const terminal = () => tmux('capture-pane', '-p');
  const context = await browser.newContext();
  try {
    const sessionId = await gateway.open('ssh', sshd.port, sshd.credential, { hostKeyPolicy: 'accept' });
    const path = `/apps/greac/connect/${sessionId}`;
    await visit(page, product, path);
    await expect(rows(page)).toContainText(/[$#]/);
    await focus(page);
    const file = join(sshd.folder, 'shared.txt');
    await page.keyboard.type(`LC_ALL=C.UTF-8 ${editor} -u NONE -N -n ${file}\n`);
    await page.keyboard.type('i');
    await page.keyboard.insertText('櫓 first browser');
    await expect(rows(page)).toContainText('櫓 first browser');

    const second = await context.newPage();
    await visit(second, product, `${path}?mode=watch`);
    await expect(rows(second)).toContainText('櫓 first browser');
    const env = { YAGURA_CONFIG_DIR: sshd.folder, YAGURA_URL: product.origin, YAGURA_TOKEN: product.token };
    const words = Object.entries({ ...env, YAGURA_LANG: 'ja', LC_ALL: 'C.UTF-8' }).map(
      ([name, value]) => `${name}='${value}'`,
    );
    const command = `env ${words.join(' ')} '${process.execPath}' '${program}' greac connect ${sessionId} --watch`;
    tmux('new-session', '-d', '-x', String(size.columns), '-y', String(size.rows), `${command}; cat`);
    await expect.poll(terminal).toContain('櫓 first browser');

    await second.getByRole('button', { name: t('terminal.request'), exact: true }).click();
    await page.getByRole('button', { name: t('terminal.give', { name: '' }).trim() }).click();
    await expect(second.getByRole('button', { name: t('terminal.release'), exact: true })).toBeVisible();
    await focus(second);
    await second.keyboard.type(' and second');
    for (const one of [page, second]) await expect(rows(one)).toContainText('櫓 first browser and second');
    await expect.poll(terminal).toContain('櫓 first browser and second');
    const more = Array.from({ length: 20 }, (_, row) => `row ${row + 2}`);
    await second.keyboard.type(`\n${more.join('\n')}`);
    const firstRow = () => terminal().split('\n')[0];
    await expect.poll(terminal).toMatch(/^row 10\n(row \d+\n){11}$/);
    // A watcher changes nothing.
    tmux('send-keys', '-l', '--', 'lost');
    await second.keyboard.press('Escape');
    await second.keyboard.type('gg');
    await expect.poll(firstRow).toBe('櫓 first browser and second');
    await second.keyboard.type(':');
    await expect.poll(terminal).toMatch(/\n:\n$/);
    await second.keyboard.type('wq\n');
    const written = `${['櫓 first browser and second', ...more].join('\n')}\n`;
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toBe(written);
    await second.keyboard.type('exit\n');
    await expect(second.getByRole('button', { name: t('terminal.again') })).toBeVisible();
    await expect.poll(terminal).toContain(t('cli.connect.ended'));
  } finally {
    spawnSync('tmux', ['-L', socket, 'kill-server']);
    await context.close();
    await gateway.close();
    await sshd.close();
  }
});
