// Logs that are damaged: what comes before the damage is shown, and the command fails.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionLogParts } from '@yagura/core/greac/session';
import { partDigestsBytes } from '@yagura/core/greac/stream/gateway-protocol';
import { Problem } from '@yagura/core/http/problem';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { exitCodes } from '../command-line/report-error.ts';
import { grepLogs } from './grep-logs.ts';
import { decryptLog } from './log-parts.ts';
import { downloadSessionLog } from './session-log.ts';

/** Bytes that age encrypts as one chunk. */
const chunkBytes = 64 * 1024;
const line = 'root@db1:~# uptime\n';
const text = line.repeat(2 * chunkBytes);
const readable = text.slice(0, chunkBytes);

let identity: string;
let complete: Uint8Array;
let damaged: Uint8Array;
let short: Uint8Array;
beforeAll(async () => {
  identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  complete = await encrypter.encrypt(text.slice(0, 3 * chunkBytes));
  damaged = complete.slice(0, 2 * chunkBytes);
  short = await encrypter.encrypt(line);
});

describe('decryption', () => {
  async function* streamOf(log: Uint8Array) {
    for (let at = 0; at < log.length; at += 10_000) yield log.slice(at, at + 10_000);
  }
  const decrypted = async (log: Uint8Array) => {
    const { content, isDamaged } = await decryptLog(streamOf(log), identity);
    let length = 0;
    for await (const chunk of content) length += chunk.length;
    return [length, isDamaged()];
  };

  test('a complete log', async () => {
    expect(await decrypted(complete)).toEqual([3 * chunkBytes, false]);
  });

  test('a log whose end is missing or altered', async () => {
    const altered = complete.slice();
    altered[altered.length - 1]! ^= 1;
    expect(await decrypted(damaged)).toEqual([chunkBytes, true]);
    expect(await decrypted(altered)).toEqual([2 * chunkBytes, true]);
  });

  test('a log that is damaged in its first chunk', async () => {
    expect(await decrypted(complete.slice(0, 1000))).toEqual([0, true]);
  });

  test('a connection that breaks is not damage', async () => {
    async function* broken(bytes: number) {
      yield complete.slice(0, bytes);
      throw new Problem('unreachable');
    }
    const readAll = async (bytes: number) => {
      const { content } = await decryptLog(broken(bytes), identity);
      for await (const _ of content);
    };
    for (const bytes of [10, 1000, 2 * chunkBytes])
      await expect(readAll(bytes)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('a key that does not fit', async () => {
    const other = await generateX25519Identity();
    await expect(decryptLog(streamOf(complete), other)).rejects.toMatchObject({
      messageKey: 'cli.usage.decrypt',
    });
  });
});

/** A log of one part with its end. */
function signedLog(): SessionLogParts {
  const digest = createHash('sha256').digest('base64url');
  const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:10:00.000Z' };
  const signed = { signature: '', signingKey: 'key' };
  const seal = { chunks: 1, bytes: 10, digest, ...times, ...signed };
  const part = { kind: 'text', part: 1, keyId: null, chunks: 1, bytes: 10, verdict: 'complete' } as const;
  const end = { kind: 'text', parts: 1, bytes: 10, reason: 'ended', endedAt: times.endedAt } as const;
  const all = createHash('sha256')
    .update(partDigestsBytes([digest]))
    .digest('base64url');
  return {
    items: [{ ...part, seal, createdAt: times.endedAt }],
    ends: [{ ...end, digest: all, ...signed, isSigned: true }],
    isOpen: false,
  };
}

describe('commands', () => {
  let server: Server;
  let folder: string;
  let log: Uint8Array;
  let listed: SessionLogParts;
  let asked: URL[];
  let refusal: { status: number; body: string } | undefined;
  let shown: TestTerminal;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-logs-'));
    writeFileSync(join(folder, 'key'), `# a comment\n${identity}\n`);
    server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://space.example');
      asked.push(url);
      if (url.pathname.endsWith('-log')) {
        if (refusal) response.writeHead(refusal.status, { 'content-type': 'application/json' });
        return response.end(refusal?.body ?? log);
      }
      response.setHeader('content-type', 'application/json');
      const sessions = { items: [{ sessionId: 's1' }, { sessionId: 's2' }], total: 2 };
      response.end(JSON.stringify(url.pathname.endsWith('/sessions') ? sessions : listed));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    listed = signedLog();
    asked = [];
    refusal = undefined;
    log = complete;
    shown = await testTerminal({ env: { YAGURA_URL: origin, YAGURA_TOKEN: 'token' } });
  });

  const message = 'Part 1 is damaged. What could be decrypted before the damage is shown.';

  test('log writes what can be read, and fails', async () => {
    log = damaged;
    const output = join(folder, 'damaged.txt');
    await expect(
      downloadSessionLog(shown.terminal, 's', { identity: join(folder, 'key'), output }),
    ).rejects.toMatchObject({ code: exitCodes.problem });
    expect(readFileSync(output, 'utf8')).toBe(readable);
    expect(shown.err()).toContain(message);
  });

  test('log succeeds with a complete log', async () => {
    log = complete;
    const output = join(folder, 'complete.txt');
    await downloadSessionLog(shown.terminal, 's', { identity: join(folder, 'key'), output });
    expect(readFileSync(output).length).toBe(3 * chunkBytes);
    const said = shown.err();
    expect(said).not.toContain(message);
    expect(said).toContain('Log: Complete: 1 part up to the end that the gateway signed');
  });

  test('log and grep fail without the end of the log, after what there is', async () => {
    log = complete;
    listed.ends = [];
    const output = join(folder, 'cut.txt');
    const problem = { code: exitCodes.problem };
    await expect(
      downloadSessionLog(shown.terminal, 's', { identity: join(folder, 'key'), output }),
    ).rejects.toMatchObject(problem);
    expect(readFileSync(output).length).toBe(3 * chunkBytes);
    const cut = 'Cut: the gateway has not signed the end.';
    expect(shown.err()).toContain(`Log: ${cut}`);
    await expect(
      grepLogs(shown.terminal, 'uptime', ['s'], { identity: join(folder, 'key') }),
    ).rejects.toMatchObject(problem);
    expect(shown.out()).toMatch(/^s\troot@db1:~# uptime\n/);
    expect(shown.err()).toContain(`Session s was searched only in part: ${cut}`);
  });

  test('a part alone is what was asked for', async () => {
    log = complete;
    listed.ends = [];
    const output = join(folder, 'part.txt');
    await downloadSessionLog(shown.terminal, 's', { identity: join(folder, 'key'), output, part: '1' });
    expect(shown.err()).toContain('Log: Cut');
  });

  test('grep prints the matches before the damage, and fails', async () => {
    log = damaged;
    await expect(
      grepLogs(shown.terminal, 'uptime', ['s'], { identity: join(folder, 'key') }),
    ).rejects.toMatchObject({ code: exitCodes.problem });
    expect(shown.out()).toMatch(/^s\troot@db1:~# uptime\n/);
    expect(shown.err()).toContain(`Session s was searched only in part: ${message}`);
  });

  test('grep succeeds with a match in complete logs', async () => {
    log = complete;
    await grepLogs(shown.terminal, 'uptime', ['s'], { identity: join(folder, 'key') });
    expect(shown.out()).toMatch(/^s\troot@db1:~# uptime\n/);
    expect(shown.err()).toBe('');
  });

  const identityFile = () => join(folder, 'key');
  const twoParts = () => {
    const [part] = listed.items as [SessionLogParts['items'][number]];
    listed.items = [{ ...part, part: 2 }, part, { ...part, kind: 'video' }];
  };

  test('the parts of a log are joined in their order', async () => {
    twoParts();
    const output = join(folder, 'two.txt');
    // The second part is not what was signed.
    await downloadSessionLog(shown.terminal, 's', { identity: identityFile(), output }).catch(
      () => undefined,
    );
    expect(asked.map(({ searchParams }) => searchParams.get('part')).slice(1)).toEqual(['1', '2']);
    expect(readFileSync(output).length).toBe(6 * chunkBytes);
    expect(statSync(output).mode & 0o777).toBe(0o600);
    const said = shown.err();
    for (const part of [1, 2]) expect(said).toContain(`Part ${part}: Complete`);
  });

  test('several parts cannot be written as one without the key', async () => {
    twoParts();
    await expect(
      downloadSessionLog(shown.terminal, 's', { output: join(folder, 'encrypted.age') }),
    ).rejects.toMatchObject({ messageKey: 'cli.session-log.parts' });
    const output = join(folder, 'second.age');
    await downloadSessionLog(shown.terminal, 's', { output, part: '2' });
    expect(readFileSync(output)).toEqual(Buffer.from(complete));
  });

  test.each([
    ['an unknown kind', { kind: 'audio' }, 'cli.usage.choice'],
    ['a part that is no number', { part: 'x' }, 'cli.usage.number'],
    ['a file without a key', { identity: 'empty' }, 'cli.usage.identity'],
  ])('%s is refused before anything is asked for', async (_what, options, messageKey) => {
    writeFileSync(join(folder, 'empty'), 'nothing');
    const given = 'identity' in options ? { identity: join(folder, 'empty') } : options;
    await expect(downloadSessionLog(shown.terminal, 's', given)).rejects.toMatchObject({ messageKey });
    expect(asked).toEqual([]);
  });

  test('a terminal shows text that is decrypted, and nothing else', async () => {
    const live = await testTerminal({ live: true, env: shown.terminal.env });
    for (const options of [{}, { kind: 'video', identity: identityFile() }])
      await expect(downloadSessionLog(live.terminal, 's', options)).rejects.toMatchObject({
        messageKey: 'cli.usage.missing-flag',
      });
    const written: number[] = [];
    for (const { terminal } of [live, shown])
      terminal.out.writeAndDrain = async (content) => void written.push(content.length);
    const lengths: number[] = [];
    for (const [{ terminal }, options] of [
      [live, { identity: identityFile() }],
      [shown, {}],
      [shown, { output: '-' }],
    ] as const) {
      await downloadSessionLog(terminal, 's', options);
      lengths.push(written.splice(0).reduce((sum, length) => sum + length, 0));
    }
    expect(lengths).toEqual([3 * chunkBytes, complete.length, complete.length]);
  });

  test('a file that is there stays as it is', async () => {
    const output = join(folder, 'kept.txt');
    writeFileSync(output, 'kept');
    await expect(downloadSessionLog(shown.terminal, 's', { output })).rejects.toMatchObject({
      messageKey: 'cli.usage.save-there',
    });
    expect(readFileSync(output, 'utf8')).toBe('kept');
  });

  test('a session without this log, or without this part, has none', async () => {
    const output = join(folder, 'none.txt');
    for (const options of [{ kind: 'video' }, { part: '2' }])
      await expect(downloadSessionLog(shown.terminal, 's', { output, ...options })).rejects.toMatchObject({
        kind: 'not-found',
      });
    listed.items = [];
    await expect(downloadSessionLog(shown.terminal, 's', { output })).rejects.toMatchObject({
      kind: 'not-found',
    });
    // The signed end alone tells that there was a log.
    expect(shown.err()).toContain('Log:');
  });

  test('a part that is refused tells the problem, whoever replies', async () => {
    const output = join(folder, 'refused.txt');
    const problem = { type: 'urn:yagura:problem:forbidden', title: 'Forbidden', detail: 'not yours' };
    refusal = { status: 403, body: JSON.stringify(problem) };
    await expect(downloadSessionLog(shown.terminal, 's', { output })).rejects.toMatchObject({
      kind: 'forbidden',
      detail: 'not yours',
    });
    refusal = { status: 502, body: '<html>' };
    await expect(downloadSessionLog(shown.terminal, 's', { output })).rejects.toBeInstanceOf(Problem);
  });

  test('grep searches the latest closed sessions, and without a match fails', async () => {
    log = short;
    await grepLogs(shown.terminal, 'UPTIME', [], { identity: identityFile(), ignoreCase: true });
    expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
      filter: 'status eq "closed"',
      sort: '-openedAt',
      limit: '100',
    });
    expect(shown.out()).toBe('s1\troot@db1:~# uptime\ns2\troot@db1:~# uptime\n');
    await expect(
      grepLogs(shown.terminal, 'UPTIME', ['s1'], { identity: identityFile() }),
    ).rejects.toMatchObject({ code: exitCodes.problem });
    expect(shown.out()).toBe('');
  });

  test('grep goes on after a log that cannot be read, and refuses a broken pattern', async () => {
    refusal = {
      status: 404,
      body: JSON.stringify({ type: 'urn:yagura:problem:not-found', title: 'Not found' }),
    };
    await expect(
      grepLogs(shown.terminal, 'uptime', ['s1', 's2'], { identity: identityFile() }),
    ).rejects.toMatchObject({ code: exitCodes.problem });
    const said = shown.err();
    for (const session of ['s1', 's2']) expect(said).toContain(session);
    refusal = {
      status: 403,
      body: JSON.stringify({ type: 'urn:yagura:problem:forbidden', title: 'Forbidden' }),
    };
    await expect(
      grepLogs(shown.terminal, 'uptime', ['s1'], { identity: identityFile() }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(grepLogs(shown.terminal, '(', ['s1'], { identity: identityFile() })).rejects.toMatchObject({
      messageKey: 'cli.session-grep.pattern-invalid',
    });
  });
});
