// What the set-up of a role does to settings that stand in the file already.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentFiles, writeAgentFiles } from '../../test/write-agent-files.ts';
import { setUpGateway } from './set-up-gateway.ts';
import { setUp } from './setup.ts';
import type { Terminal } from './terminal.ts';
import { changeSettings } from './write-settings.ts';

const oldToken = `kst_${'o'.repeat(43)}`;
const newToken = `kst_${'n'.repeat(43)}`;
const t = createInterpolator('en', await loadTranslations('en'));
const terminal: Terminal = {
  ...{ print: () => {}, note: () => {}, ask: async () => '' },
  ...{ env: process.env, language: 'en', columns: 80, signal: new AbortController().signal, t },
};
const policy = `url = "http://127.0.0.1:1"
[scan]
allowed = ["10.0.0.0/24"]
forbidden = ["10.0.0.66"]
packetsPerSecond = 5
[sessions]
forbidden = ["10.0.0.66"]
ports = [22]
`;
let files: AgentFiles;
beforeEach(() => {
  files = writeAgentFiles(policy, oldToken);
  writeFileSync(join(files.folder, 'new-token'), newToken, { mode: 0o600 });
});
afterEach(() => files.remove());

const written = () => parse(readFileSync(files.settings, 'utf8'));
const replaceToken = (url = 'http://127.0.0.1:1') =>
  setUp(terminal, {
    ...{ settings: files.settings, tokenFile: join(files.folder, 'new-token'), url },
    ...{ allow: ['10.0.0.0/25'], replace: true },
  });

test('another set-up keeps what the site has forbidden, and its pace', async () => {
  await replaceToken();
  expect(written()).toMatchObject({
    scan: { allowed: ['10.0.0.0/25'], forbidden: ['10.0.0.66'], packetsPerSecond: 5 },
    sessions: { forbidden: ['10.0.0.66'], ports: [22] },
  });
  expect(readFileSync(join(files.folder, 'token'), 'utf8')).toBe(`${newToken}\n`);
});

test('the set-up of a gateway keeps the limits of its sessions', async () => {
  const tables = { gateway: { keyFile: 'kroker.json' }, sessions: { allowed: ['10.0.0.0/25'] } };
  expect(parse(await changeSettings(files.settings, { keys: {}, tables }, t))).toMatchObject({
    gateway: { keyFile: 'kroker.json' },
    sessions: { allowed: ['10.0.0.0/25'], forbidden: ['10.0.0.66'], ports: [22] },
  });
});

test('a file that an editor began with a byte order mark keeps its settings', async () => {
  writeFileSync(files.settings, `\ufeff${readFileSync(files.settings, 'utf8')}`);
  const change = { keys: {}, tables: { gateway: { keyFile: 'kroker.json' } } };
  expect(parse(await changeSettings(files.settings, change, t))).toMatchObject({
    ...{ tokenFile: 'token', scan: { forbidden: ['10.0.0.66'] }, gateway: { keyFile: 'kroker.json' } },
  });
});

test('settings that are not valid are named before the token is replaced', async () => {
  writeFileSync(files.settings, `timeout = 5\n${readFileSync(files.settings, 'utf8')}`);
  await expect(replaceToken()).rejects.toMatchObject({
    ...{ messageKey: 'agent.file.invalid', lines: ['  timeout: This field does not exist'], exitCode: 1 },
  });
  expect(readFileSync(join(files.folder, 'token'), 'utf8')).toBe(oldToken);
});

test('a gateway is approved only if its key can be stored', async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const blocked = join(files.folder, 'token/agent.toml');
    await expect(
      setUpGateway(terminal, { settings: blocked, url, allow: ['none'], stateFolder: files.folder }),
    ).rejects.toMatchObject({ exitCode: 1 });
    const settings = join(files.folder, 'other/agent.toml');
    const stateFolder = join(files.folder, 'token/state');
    await expect(
      setUpGateway(terminal, { settings, url, allow: ['none'], stateFolder }),
    ).rejects.toMatchObject({
      ...{ messageKey: 'agent.file.unwritable', params: { file: stateFolder, reason: 'ENOTDIR' } },
    });
    expect(asked).toEqual([]);
    expect(existsSync(settings)).toBe(false);
  } finally {
    server.close();
  }
});
