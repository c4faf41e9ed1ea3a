import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoctor } from '../src/doctor.ts';
import type { Credential } from '../src/signin/profiles.ts';
import { testTerminal } from './test-terminal.ts';

const now = Date.parse('2026-01-01T00:00:00.000Z');
const hourMs = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
let origin: string;
/** How the server answers, and what its clock says. */
let status = 200;
let serverTime = now;

const server = createServer((request, response) => {
  const answer =
    request.url === '/api/space' && status !== 200 ? { status, title: 'Refused' } : { line: null };
  response.writeHead(request.url === '/api/space' ? status : 200, {
    'content-type': 'application/json',
    date: new Date(serverTime).toUTCString(),
  });
  response.end(JSON.stringify(answer));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The findings about one subject, and whether the command failed. */
async function findings(check: string, credential: Credential = { kind: 'token', token: 't' }) {
  const profile = { url: origin, credential };
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'a', profiles: { a: profile } }), {
    mode: 0o600,
  });
  const { terminal, out } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
  const failure: unknown = await runDoctor({ ...terminal, now: () => now }, { output: 'json' }).catch(
    (error: unknown) => error,
  );
  const all = JSON.parse(out()) as { check: string; state: string; found: string; remedy: string }[];
  return { found: all.filter((one) => one.check === check), failed: failure !== undefined };
}

const person = (expiresIn: number, refreshToken?: string): Credential => ({
  kind: 'person',
  issuer: `${origin}/oidc`,
  clientId: 'cli',
  accessToken: 'a',
  ...(refreshToken ? { refreshToken } : {}),
  expiresAt: now + expiresIn,
});

test.each([
  ['that is renewed', () => person(hourMs, 'r'), 'good', /^$/],
  ['that ends by itself', () => person(hourMs), 'attention', /^$/],
  ['that has ended', () => person(0), 'bad', /yagura login/],
  ['of an API token', (): Credential => ({ kind: 'token', token: 't' }), 'good', /^$/],
])('tells the state of a sign-in %s', async (_what, credential, state, remedy) => {
  const { found, failed } = await findings('credential', credential());
  expect(found).toEqual([expect.objectContaining({ state, remedy: expect.stringMatching(remedy) })]);
  expect(failed).toBe(state === 'bad');
});

test.each([
  [30_000, 'good', '+30 s'],
  [31_000, 'bad', '+31 s'],
  [-31_000, 'bad', '-31 s'],
])('a clock that is ahead by %d ms is %s', async (ahead, state, said) => {
  serverTime = now - ahead;
  const { found, failed } = await findings('clock');
  expect(found).toEqual([expect.objectContaining({ state, found: said })]);
  expect(failed).toBe(state === 'bad');
  serverTime = now;
});

test.each([
  [401, 'bad'],
  [500, 'bad'],
  // The user may not read the space, but is known.
  [403, 'good'],
])('an answer of %d makes the credential %s', async (answered, state) => {
  status = answered;
  const { found } = await findings('credential');
  expect(found).toEqual([expect.objectContaining({ state })]);
  status = 200;
});
