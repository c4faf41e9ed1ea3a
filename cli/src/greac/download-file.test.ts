// Downloads that are interrupted and continued, against the real transfers and a scripted gateway.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileTransfers } from '@yagura/core/greac/stream/file-transfers';
import type { ViewerControl } from '@yagura/core/greac/stream/viewer-protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadFile, type RemoteSource } from './download-file.ts';

let folder: string;
let local: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-download-'));
  local = join(folder, 'a.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const source: RemoteSource = { origin: 'https://space.example', destinationId: 'd', path: '/var/a.log' };

/**
 * Downloads from a gateway with this content, which sends at most `maxBytes` bytes before the user aborts. Resolves
 * to the offset that was requested.
 */
async function download(
  from: RemoteSource,
  content: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<number> {
  const bytes = new TextEncoder().encode(content);
  const abort = new AbortController();
  let requested = -1;
  const transfers: FileTransfers = new FileTransfers({
    async sendFile() {},
    sendControl(message: ViewerControl) {
      if (message.type !== 'download') return;
      const { transfer } = message;
      requested = message.offset;
      const offset = Math.min(requested, bytes.length);
      transfers.onControl({ type: 'transfer', transfer, offset, size: bytes.length });
      transfers.onFile(transfer, bytes.slice(offset, offset + maxBytes), () => {
        if (offset + maxBytes < bytes.length) abort.abort(new Error('aborted by the user'));
      });
      if (offset + maxBytes >= bytes.length) transfers.onControl({ type: 'transfer-done', transfer });
    },
  });
  transfers.setConnected(true);
  await downloadFile(transfers, from, local, { signal: abort.signal });
  return requested;
}

test('an interrupted download continues', async () => {
  await expect(download(source, 'abcdef', 4)).rejects.toThrow('aborted by the user');
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^a\.log\.[0-9a-f]{12}\.yagura-part$/)]);
  expect(await download(source, 'abcdef')).toBe(4);
  expect(readFileSync(local, 'utf8')).toBe('abcdef');
  expect(readdirSync(folder)).toEqual(['a.log']);
});

test.each<Partial<RemoteSource>>([
  { path: '/tmp/a.log' },
  { destinationId: 'other' },
  { origin: 'https://other.example' },
])('another file of the same name starts at its beginning: %o', async (change) => {
  await expect(download(source, 'abcdef', 4)).rejects.toThrow('aborted by the user');
  expect(await download({ ...source, ...change }, 'ABCDEF')).toBe(0);
  expect(readFileSync(local, 'utf8')).toBe('ABCDEF');
});

test.skipIf(!existsSync('/dev/full'))('an error of writing names the file', async () => {
  await expect(download(source, 'abcdef', 4)).rejects.toThrow('aborted by the user');
  const partial = join(folder, readdirSync(folder)[0]!);
  rmSync(partial);
  // A disk that is always full.
  symlinkSync('/dev/full', partial);
  const error = await download(source, 'abcdef').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ENOSPC', path: partial });
});

test('a file that has become shorter is refused', async () => {
  await expect(download(source, 'abcdef', 4)).rejects.toThrow('aborted by the user');
  const [partial] = readdirSync(folder);
  await expect(download(source, 'xyz')).rejects.toMatchObject({
    messageKey: 'cli.files.shorter',
    params: { partial: join(folder, partial!) },
  });
  expect(readdirSync(folder)).toEqual([partial]);
});
