import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { playTranscript } from './transcript.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('transcripts', { timeout: 180_000 }, () => {
  let folder: string;
  let lab: ServerProcess;
  let sink: Server;
  const received: string[] = [];

  beforeAll(async () => {
    if (!existsSync(main)) throw new Error('cli/dist/main.js is missing: run "npm run build" first');
    folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'yagura'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    chmodSync(join(folder, 'bin', 'yagura'), 0o755);
    sink = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push(`${request.method} ${request.url} ${request.headers['x-team']} ${body}`);
      response.end('ok');
    });
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    lab = await startServer({
      env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8', YAGURA_PIGEON_LINE: 'simulator' },
    });
  }, 120_000);

  afterAll(async () => {
    sink?.close();
    await lab?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const options = (name: string) => {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    const sinkOrigin = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
    return {
      cwd,
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        YAGURA_CONFIG_DIR: join(cwd, 'settings'),
        ORIGIN: lab.origin,
        TOKEN: lab.token,
        SINK: sinkOrigin,
        TZ: 'UTC',
        TERM: 'xterm',
        COLUMNS: '80',
      },
      hide: { [lab.origin]: '<origin>', [lab.token]: '<token>', [sinkOrigin]: '<sink>', [cwd]: '<folder>' },
    };
  };

  test.each([
    'start',
    'journey',
    'output',
    'failures',
    'bulk',
    'shortcuts',
    'calls',
    'refusals',
    'recipes',
    'sessions',
  ])('%s', async (name) => {
    const { was, is } = await playTranscript(name, options(name));
    expect(is).toBe(was);
  });

  test('the receiver of the journey got the filled templates, with their header', async () => {
    // The second event resets the severities and has no message.
    await vi.waitFor(() =>
      expect(received).toEqual([
        'POST /hook ops {"scope":"Database","severity":"5","level":"97"}',
        'POST /hook ops {"scope":"Database","severity":"0","level":""}',
      ]),
    );
  });
});
