// The demo's configuration, exported from one server and applied to another.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDataset } from '@yagura/fixtures/datasets/datasets';
import { type ServerProcess, startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectOutput } from './collect-output.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
let demo: ServerProcess;
let empty: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-plan-demo-'));
  const start = () => startServer({ env: { YAGURA_PIGEON_LINE: 'simulator' } });
  [demo, empty] = await Promise.all([start(), start()]);
  await buildDataset(demo, 'demo');
}, 240_000);
afterAll(async () => {
  await Promise.all([demo?.stop(), empty?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The variables that the exported files name. */
const secrets: Record<string, string> = {};

async function run(space: ServerProcess, ...argv: string[]) {
  const child = spawn(process.execPath, [main, ...argv], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      LANG: 'en_US.UTF-8',
      YAGURA_URL: space.origin,
      YAGURA_TOKEN: space.token,
      YAGURA_CONFIG_DIR: folder,
      ...secrets,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { output, ended } = collectOutput(child);
  const code = await ended;
  return { code, ...output };
}

test('its export plans to nothing in both spaces, once it is applied', { timeout: 240_000 }, async () => {
  const exported = await run(demo, 'export', '--all', 'files', '--format', 'yaml');
  expect(exported.code, exported.err).toBe(0);
  const senders = readFileSync(join(folder, 'files/email-action-sender-settings.yaml'), 'utf8');
  for (const [, variable] of senders.matchAll(/\$env: (\S+)/g)) secrets[variable!] = 'secret';
  expect(Object.keys(secrets).length).toBeGreaterThan(1);
  const nothing = { code: 0, out: 'No changes. The space matches the files.\n' };
  expect(await run(demo, 'plan', 'files', '--detailed-exitcode')).toMatchObject({ ...nothing, err: '' });

  // Positions are numbers, and credentials have names: the ids of one space mean nothing in another.
  expect(readFileSync(join(folder, 'files/runbooks.yaml'), 'utf8')).toMatch(/posX: \d/);
  const destinations = readFileSync(join(folder, 'files/destinations.yaml'), 'utf8');
  expect(destinations).toMatch(/credentialId: .+\/.+/);
  expect(destinations).not.toMatch(/Id: [0-9a-f]{8}-/);

  const applied = await run(empty, 'apply', 'files', '--yes');
  expect(applied.code, applied.err).toBe(0);
  // Nobody but its Kroker can write a credential, so it is named and left out.
  expect(applied.err).toMatch(
    /^destinations\.yaml:\d+: credentialId: left empty, because this space has no/m,
  );
  expect(await run(empty, 'plan', 'files', '--detailed-exitcode')).toMatchObject(nothing);
});
