// What a command tells about the server it was sent to, and how it opens a browser.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectOutput } from './collect-output.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let folder: string;
let website: Server;
let origin: string;
/** An address where nothing listens. */
let closed: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-environment-'));
  website = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<html><title>Welcome</title></html>');
  });
  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  origin = await listen(website);
  const gone = createServer();
  closed = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
});
afterAll(async () => {
  await new Promise((resolve) => website?.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: string, argv: string[], env: Record<string, string>) {
  const child = spawn(command, argv, {
    cwd: folder,
    env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8', YAGURA_CONFIG_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, ended } = collectOutput(child);
  const code = await ended;
  return { code, ...output };
}
const yagura = (argv: string[], env: Record<string, string>) => run(process.execPath, [main, ...argv], env);

describe('an error names the address and its source', () => {
  const saved = () => {
    const credential = { kind: 'token', token: 'abc' };
    writeFileSync(
      join(folder, 'profiles.json'),
      JSON.stringify({ current: 'work', profiles: { work: { url: closed, credential } } }),
    );
  };

  test('when the server of YAGURA_URL does not answer', async () => {
    const { code, err } = await yagura(['scopes', 'list'], { YAGURA_URL: closed, YAGURA_TOKEN: 'abc' });
    expect([code, err]).toEqual([
      1,
      `The server cannot be reached: ${closed}, from YAGURA_URL (connection refused: ECONNREFUSED)\n`,
    ]);
  });

  test('when the server of a profile does not answer', async () => {
    saved();
    const { err } = await yagura(['scopes', 'list'], {});
    expect(err).toContain(
      `${closed}, from profile work in ${join(folder, 'profiles.json')} (connection refused: ECONNREFUSED)`,
    );
  });

  test('when a web page answers, in text and as JSON', async () => {
    const env = { YAGURA_URL: origin, YAGURA_TOKEN: 'abc' };
    const { code, err } = await yagura(['scopes', 'list'], env);
    expect(code).toBe(1);
    expect(err).toContain(`${origin}, from YAGURA_URL, replied with a web page (status 200)`);
    const json = await yagura(['scopes', 'list', '--json', 'scopeId'], env);
    expect(JSON.parse(json.err)).toMatchObject({ detail: expect.stringContaining('not a Yagura server') });
  });

  test('when YAGURA_URL is no address', async () => {
    const { code, err } = await yagura(['scopes', 'list'], { YAGURA_URL: 'ftp://x', YAGURA_TOKEN: 'abc' });
    expect([code, err]).toEqual([2, 'YAGURA_URL is not a valid URL of a space: ftp://x\n']);
  });

  test('when the profile file is damaged, without quoting it', async () => {
    writeFileSync(join(folder, 'profiles.json'), '{"profiles":{"a":{"token":"hidden-secret"');
    const { code, err } = await yagura(['scopes', 'list'], {});
    expect(code).toBe(2);
    expect(err).toContain(join(folder, 'profiles.json'));
    expect(err).not.toContain('hidden');
  });
});

test.each([
  [['plan', 'nowhere'], 2],
  [['plan', 'nowhere', '--detailed-exitcode'], 1],
  [['plan', '--nonsense'], 2],
  [['plan', '--nonsense', '--detailed-exitcode'], 1],
  [['plan', '--detailed-exitcode'], 1],
  [['plan', '--help', '--detailed-exitcode'], 0],
])('%o exits with %i', async (argv, code) => {
  const env = { YAGURA_URL: closed, YAGURA_TOKEN: 'abc' };
  expect((await yagura(argv, env)).code).toBe(code);
});

describe.runIf(process.platform === 'linux')('open on a terminal', () => {
  const env = () => ({ YAGURA_URL: closed, YAGURA_TOKEN: 'abc', NODE: process.execPath, MAIN: main });
  /** Runs the command with a terminal as its stdout. */
  const onTerminal = (path: string) =>
    run('script', ['-qec', '"$NODE" "$MAIN" open', '/dev/null'], { ...env(), PATH: path });
  const launcher = (text: string) => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    return `${bin}:${process.env.PATH}`;
  };

  test('starts the browser and ends', async () => {
    const opened = join(folder, 'opened');
    const { code, out } = await onTerminal(launcher(`printf %s "$1" > ${opened}`));
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(opened, 'utf8')).toBe(`${closed}/`);
  });

  test('does not wait for a browser that stays open', async () => {
    const { code, out } = await onTerminal(launcher('exec sleep 60'));
    expect([code, out]).toEqual([0, '']);
  });

  test('prints the address when the browser cannot be started', async () => {
    const { code, out } = await onTerminal(launcher('exit 3'));
    expect([code, out.trim()]).toEqual([0, `${closed}/`]);
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'the version that cannot be written is an error without a trace',
  async () => {
    const intoFull = ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, main, '--version'];
    expect(await run('/bin/sh', intoFull, {})).toEqual({
      ...{ code: 1, out: '', err: 'stdout: cannot write: no space left on device\n' },
    });
  },
);
