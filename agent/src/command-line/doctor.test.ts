// What `doctor` says of servers that are none, or that a proxy hides.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { afterEach, expect, test } from 'vitest';
import { writeAgentFiles } from '../../test/write-agent-files.ts';
import { runDoctor } from './doctor.ts';
import type { Terminal } from './terminal.ts';

const t = createInterpolator('en', await loadTranslations('en'));
let server: Server;
afterEach(() => void server.close());

type Answer = (response: ServerResponse) => void;
const status = (code: number, headers?: Record<string, string>) => (response: ServerResponse) =>
  void response.writeHead(code, headers).end();

async function diagnose(health: Answer, upgrade: Answer): Promise<string[]> {
  server = createServer((request, response) =>
    request.url === '/healthz' ? health(response) : upgrade(response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const files = writeAgentFiles(`url = "http://127.0.0.1:${port}/"\n`, `kst_${'t'.repeat(43)}`);
  const printed: string[] = [];
  const terminal: Terminal = {
    ...{ print: (line) => void printed.push(line), note: () => {}, ask: async () => '' },
    ...{ env: process.env, language: 'en', columns: 80, signal: new AbortController().signal, t },
  };
  await runDoctor(terminal, { settings: files.settings, json: true }).catch(() => undefined);
  files.remove();
  const findings = JSON.parse(printed[0]!) as { state: string; check: string; remedy?: string }[];
  return findings
    .filter(({ check }) => check === 'reach' || check === 'token')
    .map(({ state, check, remedy = '' }) => `${check} ${state} ${remedy.split(/[ ,.]/, 4).join(' ')}`.trim());
}

test.each<[string, Answer, Answer, string[]]>([
  ['a server', status(200), status(400), ['reach good', 'token good']],
  [
    'a proxy that leads to https',
    status(301, { location: 'https://x.example/' }),
    status(301, { location: 'https://x.example/' }),
    ['reach bad The URL leads to', 'token bad The URL leads to'],
  ],
  ['another web site', status(200), status(200), ['reach good', 'token bad This is not the']],
  [
    'a proxy without its server',
    status(502),
    status(502),
    ['reach bad This is not the', 'token bad This is not the'],
  ],
])('%s', async (_, health, upgrade, expected) => {
  expect(await diagnose(health, upgrade)).toEqual(expected);
});
