import { beforeEach, describe, expect, test } from 'vitest';
import { FileTransfers } from './file-transfers.ts';
import { streamLimits } from './frame.ts';
import type { ViewerControl } from './viewer-protocol.ts';

let sent: (ViewerControl | { type: 'file'; transfer: number; bytes: number })[];
let transfers: FileTransfers;

beforeEach(() => {
  sent = [];
  transfers = new FileTransfers({
    sendControl: (message) => void sent.push(message),
    sendFile: async (transfer, content) => void sent.push({ type: 'file', transfer, bytes: content.length }),
  });
  transfers.setConnected(true);
});

/** Lets all promises that can settle do so. */
const settle = () => new Promise(setImmediate);

function reconnect(): void {
  transfers.setConnected(false);
  transfers.setConnected(true);
}

test('a list is what the gateway replies, or its error', async () => {
  const listed = transfers.list('/etc');
  const failed = transfers.list('/root');
  expect(sent).toEqual([
    { type: 'list-files', transfer: 1, path: '/etc' },
    { type: 'list-files', transfer: 2, path: '/root' },
  ]);
  transfers.onControl({ type: 'transfer-failed', transfer: 2, code: 'NOT_ALLOWED' });
  const file = (name: string) => ({ name, kind: 'file' as const, size: 1, modifiedAt: null });
  transfers.onControl({ type: 'files', transfer: 1, items: [file('a')], isTruncated: true });
  transfers.onControl({ type: 'files', transfer: 1, items: [file('b')], isTruncated: false });
  transfers.onControl({ type: 'transfer-done', transfer: 1 });
  await expect(failed).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect(await listed).toEqual({ items: [file('a'), file('b')], isTruncated: true });
});

describe('a download', () => {
  test('of a file that has become shorter than what was received before is refused', async () => {
    const done = transfers.download('/a', () => {}, { offset: 3 });
    await settle();
    transfers.onControl({ type: 'transfer', transfer: 1, offset: 2, size: 2 });
    transfers.onControl({ type: 'transfer-done', transfer: 1 });
    await expect(done).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });

  test('goes on after the last byte that was stored', async () => {
    const stored: number[] = [];
    const progress: unknown[] = [];
    const done = transfers.download('/a', (content) => void stored.push(...content), {
      onProgress: (one) => progress.push(one),
    });
    await settle();
    transfers.onControl({ type: 'transfer', transfer: 1, offset: 0, size: 5 });
    transfers.onFile(1, Uint8Array.of(1, 2), () => {});
    await settle();
    reconnect();
    await settle();
    expect(sent.at(-1)).toEqual({ type: 'download', transfer: 2, path: '/a', offset: 2 });
    // What comes late for the earlier request is not stored twice.
    transfers.onFile(1, Uint8Array.of(9), () => {});
    transfers.onControl({ type: 'transfer', transfer: 2, offset: 2, size: 5 });
    transfers.onFile(2, Uint8Array.of(3, 4, 5), () => {});
    transfers.onFile(2, new Uint8Array(), () => {});
    transfers.onControl({ type: 'transfer-done', transfer: 2 });
    expect(await done).toBe(5);
    expect(stored).toEqual([1, 2, 3, 4, 5]);
    expect(progress.at(-1)).toEqual({ bytes: 5, size: 5 });
  });

  test('returns credit when the content is stored, and is canceled when it cannot be', async () => {
    const credits: string[] = [];
    let finishWrite = () => {};
    const done = transfers.download(
      '/a',
      () =>
        new Promise<void>((_resolve, reject) => {
          finishWrite = () => reject(new Error('disk full'));
        }),
    );
    await settle();
    transfers.onFile(1, Uint8Array.of(1), () => credits.push('first'));
    await settle();
    expect(credits).toEqual([]);
    finishWrite();
    await expect(done).rejects.toThrow('disk full');
    expect(sent.at(-1)).toEqual({ type: 'cancel', transfer: 1 });
    transfers.onFile(1, Uint8Array.of(1), () => credits.push('late'));
    expect(credits).toEqual(['late']);
  });
});

describe('an upload', () => {
  const size = streamLimits.credit + 100_000;
  const source = { size, read: async (_offset: number, length: number) => new Uint8Array(length) };
  const bytesSent = (transfer: number) =>
    sent.reduce((sum, one) => sum + (one.type === 'file' && one.transfer === transfer ? one.bytes : 0), 0);

  test('keeps at most the credit unconfirmed', async () => {
    const done = transfers.upload('/a', source);
    transfers.onControl({ type: 'transfer', transfer: 1, offset: 0, size });
    await settle();
    await settle();
    expect(bytesSent(1)).toBeGreaterThanOrEqual(streamLimits.credit);
    expect(bytesSent(1)).toBeLessThan(streamLimits.credit + streamLimits.payload);
    transfers.onControl({ type: 'written', transfer: 1, bytes: 200_000 });
    await settle();
    expect(bytesSent(1)).toBe(size);
    expect(sent.at(-1)).toEqual({ type: 'file', transfer: 1, bytes: 0 });
    transfers.onControl({ type: 'transfer-done', transfer: 1 });
    await done;
  });

  test('goes on where the gateway says after the connection was lost', async () => {
    const done = transfers.upload('/a', source);
    transfers.onControl({ type: 'transfer', transfer: 1, offset: 0, size });
    await settle();
    transfers.onControl({ type: 'written', transfer: 1, bytes: 50_000 });
    reconnect();
    expect(sent.at(-1)).toEqual({ type: 'upload', transfer: 2, path: '/a', offset: 50_000, size });
    transfers.onControl({ type: 'transfer', transfer: 2, offset: 40_000, size });
    transfers.onControl({ type: 'written', transfer: 2, bytes: 200_000 });
    await settle();
    await settle();
    expect(bytesSent(2)).toBe(size - 40_000);
    transfers.onControl({ type: 'transfer-done', transfer: 2 });
    await done;
  });

  test('stops when it is canceled, and when the file has become shorter', async () => {
    const canceling = new AbortController();
    const canceled = transfers.upload('/a', source, { signal: canceling.signal });
    canceling.abort();
    await expect(canceled).rejects.toThrow('aborted');
    expect(sent.at(-1)).toEqual({ type: 'cancel', transfer: 1 });
    const shorter = transfers.upload('/b', { size: 10, read: async () => new Uint8Array() });
    transfers.onControl({ type: 'transfer', transfer: 2, offset: 0, size: 10 });
    await expect(shorter).rejects.toMatchObject({ code: 'SOURCE_CHANGED' });
  });
});

test('what is running fails when the stream is over', async () => {
  const listed = transfers.list('/');
  transfers.abort('SESSION_CLOSED');
  await expect(listed).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
});
