// Logs that are damaged: what comes before the damage is shown, and the command fails.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionLogParts } from '@yagura/core/greac/session';
import { partDigestsBytes } from '@yagura/core/greac/stream/gateway-protocol';
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
beforeAll(async () => {
  identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  complete = await encrypter.encrypt(text.slice(0, 3 * chunkBytes));
  damaged = complete.slice(0, 2 * chunkBytes);
});

describe('decryption', () => {
  test('a complete log', async () => {
    const { content, isDamaged } = await decryptLog(complete, identity);
    expect([content.length, isDamaged]).toEqual([3 * chunkBytes, false]);
  });

  test('a log whose end is missing or altered', async () => {
    const altered = complete.slice();
    altered[altered.length - 1]! ^= 1;
    for (const [log, length] of [
      [damaged, chunkBytes],
      [altered, 2 * chunkBytes],
    ] as const) {
      const { content, isDamaged } = await decryptLog(log, identity);
      expect([content.length, isDamaged]).toEqual([length, true]);
    }
  });

  test('a log that is damaged in its first chunk', async () => {
    const { content, isDamaged } = await decryptLog(complete.slice(0, 1000), identity);
    expect([content.length, isDamaged]).toEqual([0, true]);
  });

  test('a key that does not fit', async () => {
    const other = await generateX25519Identity();
    await expect(decryptLog(complete, other)).rejects.toMatchObject({ messageKey: 'cli.usage.decrypt' });
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
  let shown: TestTerminal;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-logs-'));
    writeFileSync(join(folder, 'key'), `# a comment\n${identity}\n`);
    server = createServer((request, response) => {
      if (request.url?.includes('-log?')) return response.end(log);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(listed));
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
});
