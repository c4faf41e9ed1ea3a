// The gateway and the real server: from the set-up of the machine to the sealed log of a session on a real host.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { judgeLog } from '@yagura/core/greac/log-judgement';
import type { SessionAttachment, SessionLogParts } from '@yagura/core/greac/session';
import { logKinds } from '@yagura/core/greac/session-parameters';
import { decodeViewerMessage, encodeViewerMessage } from '@yagura/core/greac/stream/viewer-protocol';
import type { Transport } from '@yagura/core/http/transport';
import { encryptCredential } from '@yagura/core/kroker/encrypt-credential';
import type { KrokerFile } from '@yagura/core/kroker/machine-setup';
import { openViewer } from '@yagura/fixtures/testbed/test-viewer';
import { Decrypter } from 'age-encryption';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ApiCall, createApiCall } from '../../../server/test/support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../../../server/test/support/test-server.ts';
import { startAgent } from '../run-agent.ts';
import { hasSshd, type RealSshd, startRealSshd } from './real-sshd.ts';

type Item = Record<string, unknown>;
const within = { timeout: 60_000 };
const folder = mkdtempSync(join(tmpdir(), 'yagura-gateway-'));
const settings = join(folder, 'agent.toml');
const commandLine = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
let server: TestServer;
let person: Transport;
let callApi: ApiCall;
let sshd: RealSshd;

beforeAll(async () => {
  server = (await startTestServer({ engine: storeKinds[0]! }))!;
  person = await server.signedIn('privileged');
  callApi = createApiCall(person);
  if (hasSshd) sshd = await startRealSshd();
});
afterAll(async () => {
  await sshd?.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function make(path: string, body: Item): Promise<Item> {
  const reply = await callApi('POST', path, body);
  expect([200, 201], reply.text).toContain(reply.status);
  return reply.data as Item;
}

/** Everything that the server gets by WebSocket, from gateway and viewer, unmasked. */
function collectWire(): Buffer[] {
  const wire: Buffer[] = [];
  // The server's own copy of the library.
  const { WebSocket } = createRequire(new URL('../../../server/package.json', import.meta.url))('ws');
  const emit = WebSocket.prototype.emit;
  vi.spyOn(WebSocket.prototype, 'emit').mockImplementation(function (this: EventEmitter, name, ...given) {
    if (name === 'message') wire.push(Buffer.from(given[0] as Buffer));
    return emit.call(this, name, ...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return wire;
}

/** Tables of the database in which one of the texts stands, as text, in bytes or in base64. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { database } = server.services;
  const { rows } = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  const forms = texts.flatMap((text) => [
    ...[text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').replace(/..=*$/, '')],
  ]);
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: hits } = await database.query(
      `select 1 from ${name} t where exists (select 1 from unnest($1::text[]) form where strpos(t::text, form) > 0)`,
      [forms],
    );
    if (hits.length > 0) found.push(name);
  }
  return found;
}

/** Uploads, lists and downloads a file by the command line, in sessions of its own that it ends. */
async function copyFiles(destinationId: string): Promise<void> {
  if (!existsSync(commandLine)) throw new Error('cli/dist/main.js is missing: run "npm run build" first');
  const { token } = await make('/api/space/api-tokens', { displayName: 'files', roles: null });
  const files = async (...args: string[]) => {
    const given = [commandLine, 'greac', 'files', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, given, {
      env: { ...process.env, YAGURA_URL: server.origin, YAGURA_TOKEN: String(token) },
    });
    return stdout;
  };
  const [content, back] = [join(folder, 'content'), join(folder, 'back')];
  writeFileSync(content, randomBytes(300_000));
  await files('put', destinationId, content, '/uploaded');
  expect(await files('list', destinationId, '/')).toContain('uploaded\t300000\n');
  await files('get', destinationId, '/uploaded', '--output', back);
  expect(readFileSync(back).equals(readFileSync(content))).toBe(true);
  const { items } = (await callApi('GET', '/api/apps/greac/sessions?filter=status eq "opened"')).data as {
    items: Item[];
  };
  expect(items).toHaveLength(1);
}

/** Runs the agent until it exits; `onText` sees what it writes. */
async function runAgent(args: string[], onText: (text: string) => void = () => undefined) {
  const child = startAgent(args);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      onText(texts[name]);
    });
  child.stdin!.end();
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
}

test.skipIf(!hasSshd)(
  'a machine is set up, opens a session, and leaves a log that is complete',
  {
    timeout: 240_000,
  },
  async () => {
    const wire = collectWire();
    const approvals: Promise<Item>[] = [];
    const setup = ['gateway', 'setup', '--settings', settings, '--url', server.origin];
    const state = ['--state-folder', join(folder, 'state')];
    const made = await runAgent([...setup, '--allow', '127.0.0.1', ...state], (text) => {
      const code = /Code: (\S+)/.exec(text)?.[1];
      if (code && text.includes('thumbprint') && approvals.length === 0)
        approvals.push(make(`/api/apps/kroker/setups/${code}/approve`, { displayName: 'Osaka' }));
    });
    await Promise.all(approvals);
    expect(made).toMatchObject({ code: 0, stdout: '' });
    const keyFile = join(folder, 'kroker.json');
    for (const file of [settings, keyFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
    const { krokerId, privateKey, token } = JSON.parse(readFileSync(keyFile, 'utf8')) as KrokerFile;
    expect(made.stderr).not.toContain(token);
    expect(await runAgent([...setup, '--allow', 'none'])).toMatchObject({ code: 2 });
    const checked = await runAgent(['check', '--settings', settings, '--json']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(checked.stdout)).toMatchObject({
      gateway: { krokerId },
      sessions: { networks: ['127.0.0.1'], ports: [22, 23, 3389] },
    });
    const doctor = await runAgent(['doctor', '--settings', settings, '--json']);
    expect(JSON.parse(doctor.stdout).map(({ check, state: found }: Item) => `${check} ${found}`)).toEqual([
      ...['settings good', 'reach good', 'clock good', 'gateway-token good'],
    ]);

    const text = readFileSync(settings, 'utf8').replace('[sessions]', `[sessions]\nports = [${sshd.port}]`);
    writeFileSync(settings, text);
    const agent = startAgent(['run', '--settings', settings]);
    let log = '';
    agent.stderr!.setEncoding('utf8').on('data', (line: string) => {
      log += line;
    });
    try {
      const kroker = async () => (await callApi('GET', `/api/apps/kroker/krokers/${krokerId}`)).data as Item;
      await expect.poll(kroker, within).toMatchObject({ connectionState: 'connected' });
      const { kty, crv, x, y } = privateKey;
      const encryptedData = await encryptCredential(sshd.credential, {
        krokerId,
        publicKey: { kty, crv, x, y },
      });
      const credential = await make(`/api/apps/kroker/krokers/${krokerId}/credentials`, {
        ...{ displayName: 'test user', credentialType: 'private-key', encryptedData },
      });
      const key = await make('/api/apps/greac/log-keys/refresh', {});
      const identity = (await callApi('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`))
        .data as Item;
      const { destinationId } = await make('/api/apps/greac/destinations', {
        ...{ displayName: 'loopback', protocol: 'ssh', host: '127.0.0.1', port: sshd.port, krokerId },
        ...{ credentialId: credential.credentialId, hostKeyPolicy: 'accept', strictRecording: true },
        fileTransfer: { enabled: true, rootDirectory: sshd.folder },
      });
      const { sessionId } = await make('/api/apps/greac/sessions', { destinationId });
      const path = `/api/apps/greac/sessions/${sessionId}`;
      const attachment = (await make(`${path}/attach`, {})) as unknown as SessionAttachment;
      const viewer = await openViewer({ origin: server.origin, sessionId: String(sessionId), attachment });
      let shown = '';
      void (async () => {
        for (;;) {
          const record = await viewer.shown();
          viewer.giveCredit(record.length + 16);
          shown += new TextDecoder().decode(decodeViewerMessage(record)!.body);
        }
      })();
      await expect.poll(() => shown, within).toContain('"connected"');
      await viewer.type(encodeViewerMessage('terminal', new TextEncoder().encode('echo real-$((6*7))\r')));
      await expect.poll(() => shown, within).toContain('real-42');
      const open = (await callApi('GET', path)).data as Item;
      expect(open).toMatchObject({ connectedAt: expect.any(String), hostKey: sshd.hostKey });
      const files = await callApi('GET', `/api/internal/apps/greac/storage/${sessionId}/files?path=/`);
      expect(files.status, files.text).toBe(200);
      expect((files.data as { items: Item[] }).items.map(({ name }) => name)).toContain('authorized_keys');
      await copyFiles(String(destinationId));
      await viewer.type(encodeViewerMessage('terminal', new TextEncoder().encode('exit\r')));
      const session = async () => (await callApi('GET', path)).data as Item;
      await expect.poll(session, within).toMatchObject({ status: 'closed' });

      const logs = `/api/internal/apps/greac/sessions/${sessionId}`;
      const judgements = async () => {
        const parts = (await callApi('GET', `${logs}/log-parts`)).data as SessionLogParts;
        return Promise.all(logKinds.map((kind) => judgeLog(kind, parts)));
      };
      const complete = { verdict: 'complete', fault: null, parts: [1] };
      await expect.poll(judgements, within).toEqual([complete, complete]);
      const download = await person.fetch(`${server.origin}${logs}/text-log`, {
        headers: { 'x-requested-with': 'XMLHttpRequest', ...(await person.headers!()) },
      });
      const decrypter = new Decrypter();
      decrypter.addIdentity(String(identity.privateKey));
      const encrypted = new Uint8Array(await download.arrayBuffer());
      expect(new TextDecoder().decode(await decrypter.decrypt(encrypted))).toContain('real-42');
      // The middle of the private key, what was typed and what was shown are nowhere on the way.
      const keyLine = (sshd.credential as { privateKey: string }).privateKey.split('\n')[3]!;
      const planted = ['real-42', 'real-$((6*7))', keyLine];
      for (const secret of [...planted, 'phrase', token]) expect(log).not.toContain(secret);
      expect(wire.some((bytes) => bytes.includes(String(sessionId)))).toBe(true);
      expect(wire.length).toBeGreaterThan(10);
      for (const secret of planted) expect(wire.filter((bytes) => bytes.includes(secret))).toEqual([]);
      await server.settled();
      expect(await tablesWith(planted)).toEqual([]);
      // The search finds what is there.
      expect(await tablesWith([sshd.hostKey])).toContain('greac_session');
      const lines = JSON.stringify(server.logLines);
      for (const secret of [...planted, token]) expect(lines).not.toContain(secret);
      viewer.close();
    } finally {
      const exited = new Promise((resolve) => agent.once('close', resolve));
      agent.kill('SIGTERM');
      await exited;
    }
  },
);
