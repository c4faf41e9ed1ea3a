// The full-screen view in a real terminal (tmux) against a real server: output and terminal state after exit.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const missing = spawnSync('tmux', ['-V']).error !== undefined;
if (missing)
  console.warn('cli/test/tui.test.ts is left out: there is no tmux here to run the full-screen view in');

describe.skipIf(missing)('in tmux', { timeout: 120_000 }, () => {
  const socket = `yagura-test-${process.pid}`;
  let folder: string;
  let lab: ServerProcess;

  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  const screen = () => tmux('capture-pane', '-p');
  const press = (...keys: string[]) => tmux('send-keys', '--', ...keys);
  const type = (text: string) => tmux('send-keys', '-l', '--', text);
  /** State of alternate screen, cursor and mouse reports. */
  const modes = () =>
    tmux('display-message', '-p', '#{alternate_on} #{cursor_flag} #{mouse_any_flag}').trim();
  const until = (wanted: string | RegExp) =>
    vi.waitFor(() => expect(screen()).toMatch(wanted), { timeout: 30_000, interval: 100 });
  /** Mode changes arrive slightly before or after the accompanying text. */
  const untilModes = (wanted: string) =>
    vi.waitFor(() => expect(modes()).toBe(wanted), { timeout: 30_000, interval: 100 });
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(lab.origin + path, {
      method,
      headers: { 'x-authorization': `Token ${lab.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(reply.ok, `${method} ${path}: ${reply.status}`).toBe(true);
    return method === 'DELETE' ? undefined : reply.json();
  };

  beforeAll(async () => {
    if (!existsSync(main)) throw new Error('cli/dist/main.js is missing: run "npm run build" first');
    folder = mkdtempSync(join(tmpdir(), 'yagura-tui-'));
    const program = join(folder, 'yagura');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(program, 0o755);
    const editor = join(folder, 'editor');
    writeFileSync(editor, `#!/bin/sh\nsed -i 's/^displayName:.*/displayName: written in the editor/' "$1"\n`);
    chmodSync(editor, 0o755);
    lab = await startServer();
    for (const displayName of ['database', '監視サーバー（東京）', 'web-front'])
      await call('POST', '/api/apps/alerthub/scopes', { displayName });
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      YAGURA_CONFIG_DIR: join(folder, 'settings'),
      YAGURA_URL: lab.origin,
      YAGURA_TOKEN: lab.token,
      YAGURA_LANG: 'en',
      EDITOR: editor,
      PS1: 'shell> ',
      LC_ALL: 'C.UTF-8',
    };
    const words = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    tmux('new-session', '-d', '-x', '80', '-y', '24', `env ${words.join(' ')} sh -i`);
    tmux('set', '-g', 'status', 'off');
    await until('shell>');
  }, 120_000);

  afterAll(async () => {
    if (folder) spawnSync('tmux', ['-L', socket, 'kill-server']);
    await lab?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('is found, looked through, changed and left', async () => {
    type('yagura tui');
    press('Enter');
    await until('Scopes that are not normal');
    await untilModes('1 0 1');
    type(':scop');
    await until(/> scopes/);
    // The cursor is at the text input, so that an input method composes in the right place.
    await untilModes('1 1 1');
    press('Enter');
    await until('監視サーバー（東京）');
    type('/東京');
    await until('1/3');
    press('Escape');
    await until('web-front');

    // Many quick resizes, then the size to check.
    for (const [columns, rows] of [
      [20, 5],
      [200, 60],
      [33, 11],
      [80, 24],
    ] as const)
      tmux('resize-window', '-x', String(columns), '-y', String(rows));
    await until(/Home › Scopes +\S+ · API token/);
    await vi.waitFor(() =>
      expect(
        screen()
          .split('\n')
          .filter((line) => line.includes('web-front')),
      ).toHaveLength(1),
    );

    type('/web');
    await until('1/3');
    press('Enter');
    type('e');
    await until('Edit: scope web-front');
    // The cursor is in the field, so that an input method composes there.
    await untilModes('1 1 1');
    press('C-u');
    type('港の入口');
    await until(/> Name \* +港の入口/);
    press('C-s');
    await until('Edit done: 港の入口');
    press('Escape');
    await until('港の入口');
    type('/港');
    await until('1/3');
    press('Enter');
    type('E');
    await until('Edit done: written in the editor');
    press('Escape');
    await until('written in the editor');
    type('/written');
    press('Enter');
    await until('1/1 of 3');
    type('D');
    await until('Type written in the editor to confirm:');
    type('written in the editor');
    press('Enter');
    await until('Delete done: written in the editor');
    const { total } = (await call('GET', '/api/apps/alerthub/scopes')) as { total: number };
    expect(total).toBe(2);
  });

  test('lets the shell have the terminal, and comes back', async () => {
    press('C-z');
    await until(/shell>\s*$/);
    await untilModes('0 1 0');
    type('fg');
    press('Enter');
    await until('Home › Scopes');
    await untilModes('1 0 1');
  });

  test('gives the terminal back as it was, also when it is ended from outside', async () => {
    press('C-c');
    await until(/shell>\s*$/);
    await untilModes('0 1 0');
    type('clear; yagura tui');
    press('Enter');
    await until('Scopes that are not normal');
    const tty = tmux('display-message', '-p', '#{pane_tty}').trim().replace('/dev/', '');
    const [pid] = execFileSync('ps', ['-t', tty, '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes('main.js'))
      .map((line) => Number(line.trim().split(' ')[0]));
    process.kill(pid!, 'SIGTERM');
    await untilModes('0 1 0');
    type('echo code=$?; stty -a | grep -o " icanon"');
    press('Enter');
    await until('code=143');
    await until(/^ icanon/m);
  });
});
