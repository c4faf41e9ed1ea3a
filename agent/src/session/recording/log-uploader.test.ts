import {
  type GatewayMessage,
  type StreamCode,
  streamCodes,
} from '@yagura/core/greac/stream/gateway-protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Channel, ChannelHandlers } from '../../link/channel.ts';
import type { LogLine } from '../../log.ts';
import type { SpooledPart } from './log-spool.ts';
import { LogUploader } from './log-uploader.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs what waits for promises only. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const meta: SpooledPart['meta'] = {
  sessionId: '8f14e45f-ceea-467f-a0e6-d1a5b1c2d3e4',
  keyId: '45c48cce-2e2d-4fbd-aa1a-fc51c7c6ad26',
  kind: 'text',
  part: 0,
  startedAt: '2026-01-01T00:00:00.000Z',
};
/** The server's time, an hour after the part was started. */
const soon = Date.parse(meta.startedAt) + 3_600_000;
const newPart = (part = 0): SpooledPart => ({ meta: { ...meta, part }, chunks: [0], isClosed: false });

/** A server that takes every chunk and says nothing, and a spool whose chunks are read when the test says so. */
function start() {
  const sent: GatewayMessage[] = [];
  const deleted: number[] = [];
  const deletedParts: number[] = [];
  const deletedEnds: string[] = [];
  const logged: LogLine[] = [];
  let finishRead = () => {};
  let isReadByHand = false;
  const spool = {
    readChunk: async () => {
      if (isReadByHand) await new Promise<void>((resolve) => (finishRead = resolve));
      return Buffer.from('chunk');
    },
    deleteChunk: async ({ part }: { part: number }) => void deleted.push(part),
    deletePart: async ({ part }: { part: number }) => void deletedParts.push(part),
    deleteEnd: async ({ kind }: { kind: string }) => void deletedEnds.push(kind),
  };
  let handlers: ChannelHandlers | undefined;
  const channel = {
    ...{ number: 1, room: 1024, send: () => true, endSending: () => undefined },
    close: () => handlers?.closed(null),
  } as unknown as Channel;
  const link = {
    isReady: true,
    interactiveBytes: 0,
    send: (message: GatewayMessage) => sent.push(message) > 0,
    openOwnChannel: (its: ChannelHandlers) => {
      handlers = its;
      return channel;
    },
  };
  const uploader = new LogUploader(spool, link, (line) => logged.push(line), { random: () => 1 });
  const stored = (part = 0) =>
    uploader.onStored({ type: 'stored', sessionId: meta.sessionId, kind: meta.kind, part, chunk: 0 });
  return {
    ...{ uploader, link, sent, deleted, deletedParts, deletedEnds, logged, stored },
    /** Resets the channel of the latest chunk, all of which was sent. */
    refuse: async (code: StreamCode) => {
      handlers!.closed(streamCodes[code]);
      await settle();
    },
    readByHand: () => {
      isReadByHand = true;
      return () => finishRead();
    },
  };
}

test('nothing stays scheduled after a close during an upload', async () => {
  const { uploader, sent, deleted } = start();
  uploader.add(newPart());
  await settle();
  expect(sent).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(1);
  await uploader.close();
  expect(vi.getTimerCount()).toBe(0);
  expect(deleted).toEqual([]);
});

test('a close while a chunk is read sends nothing and does not wait for the server', async () => {
  const { uploader, sent, readByHand } = start();
  const finishRead = readByHand();
  uploader.add(newPart());
  const closed = uploader.close();
  finishRead();
  await closed;
  expect(sent).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a part that was not taken is sent again later, or as soon as the connection is ready', async () => {
  const { uploader, sent, deleted, stored } = start();
  uploader.add(newPart());
  await settle();
  expect(sent).toHaveLength(1);
  // The server did not confirm it in time.
  await vi.advanceTimersByTimeAsync(30_000);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(2);
  uploader.onClosed();
  await settle();
  expect(vi.getTimerCount()).toBe(1);
  uploader.onReady(soon);
  await settle();
  expect(sent).toHaveLength(3);
  // Of another part: not an answer to this one.
  stored(1);
  expect(deleted).toEqual([]);
  stored();
  await settle();
  expect(deleted).toEqual([0]);
  expect(vi.getTimerCount()).toBe(0);
});

test('the end of a log is sent after its parts, again after a lost connection, and deleted when it is stored', async () => {
  const { uploader, sent, deletedEnds, stored } = start();
  const { sessionId, kind } = meta;
  const end = {
    ...{
      type: 'log-end' as const,
      sessionId,
      kind,
      parts: 1,
      bytes: 5,
      digest: '',
      reason: 'ended' as const,
    },
    ...{ endedAt: meta.startedAt, signature: '' },
  };
  uploader.add({ ...newPart(1), isClosed: true });
  uploader.add({ end });
  await settle();
  expect(sent.map(({ type }) => type)).toEqual(['log']);
  stored(1);
  await settle();
  expect(sent.map(({ type }) => type)).toEqual(['log', 'log-end']);
  uploader.onClosed();
  await settle();
  uploader.onReady(soon);
  await settle();
  expect(sent.map(({ type }) => type)).toEqual(['log', 'log-end', 'log-end']);
  expect(deletedEnds).toEqual([]);
  uploader.onEndStored({ type: 'log-end-stored', sessionId, kind: 'video' });
  uploader.onEndStored({ type: 'log-end-stored', sessionId, kind });
  await settle();
  expect(deletedEnds).toEqual([kind]);
  expect(vi.getTimerCount()).toBe(0);
});

describe('while the server has no space', () => {
  test.each(['NO_SPACE', 'CONNECTION_LIMIT_REACHED'] as const)(
    'and says %s, one chunk is sent now and then, and everything once it is taken',
    async (code) => {
      const { uploader, sent, deleted, logged, stored, refuse } = start();
      uploader.onReady(soon);
      for (const part of [1, 2, 3]) uploader.add(newPart(part));
      await settle();
      for (const delayMs of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
        const before = sent.length;
        await refuse(code);
        uploader.add(newPart(2));
        await vi.advanceTimersByTimeAsync(delayMs - 1);
        expect(sent).toHaveLength(before);
        await vi.advanceTimersByTimeAsync(1);
        expect(sent).toHaveLength(before + 1);
      }
      expect(sent.every((message) => 'part' in message && message.part === 1)).toBe(true);
      stored(1);
      await settle();
      stored(2);
      await settle();
      expect(sent.slice(-2)).toMatchObject([{ part: 2 }, { part: 3 }]);
      expect(deleted).toEqual([1, 2]);
      expect(logged.map(({ level }) => level)).toEqual(['warn', 'info']);
      await uploader.close();
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('nothing is deleted for its age', async () => {
    const { uploader, sent, deletedParts, refuse } = start();
    uploader.onReady(Date.parse(meta.startedAt) + 31 * 24 * 3_600_000);
    uploader.add({ ...newPart(), isClosed: true });
    await settle();
    await refuse('NO_SPACE');
    await vi.advanceTimersByTimeAsync(500);
    expect([sent.length, deletedParts]).toEqual([2, []]);
    await uploader.close();
  });

  test('a new connection is tried at once', async () => {
    const { uploader, link, sent, refuse } = start();
    uploader.add(newPart());
    await settle();
    await refuse('NO_SPACE');
    link.isReady = false;
    uploader.onClosed();
    await vi.advanceTimersByTimeAsync(60_000);
    link.isReady = true;
    expect(sent).toHaveLength(1);
    uploader.onReady(soon);
    await settle();
    expect(sent).toHaveLength(2);
    await uploader.close();
  });

  test('a close leaves nothing scheduled', async () => {
    const { uploader, refuse } = start();
    uploader.add(newPart());
    await settle();
    await refuse('NO_SPACE');
    await uploader.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a session whose log the server refuses', () => {
  const other = { ...meta, sessionId: '0d9e0b6c-6a8c-4f0e-9b0f-1d2c3b4a5968' };
  const end = {
    ...{ type: 'log-end' as const, sessionId: meta.sessionId, kind: meta.kind, parts: 1, bytes: 5 },
    ...{ digest: '', reason: 'ended' as const, endedAt: meta.startedAt, signature: '' },
  };

  test('waits an hour with all of its parts, and those of others do not wait for it', async () => {
    const { uploader, sent, logged, refuse } = start();
    uploader.onReady(soon);
    for (const part of [0, 1]) uploader.add({ ...newPart(part), isClosed: true });
    uploader.add({ end });
    uploader.add({ ...newPart(), meta: other });
    await settle();
    expect(sent).toHaveLength(1);
    await refuse('SESSION_CLOSED');
    expect(sent.slice(1)).toMatchObject([{ sessionId: other.sessionId }]);
    expect(logged).toMatchObject([{ sessionId: meta.sessionId, reason: 'SESSION_CLOSED' }]);
    uploader.onStored({ type: 'stored', ...other, chunk: 0 });
    await vi.advanceTimersByTimeAsync(60 * 60_000 - 1);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(3);
    await uploader.close();
  });

  test.each([
    ['part', { ...newPart(), chunks: [], isClosed: true, sealed: { type: 'sealed' } as never }],
    ['log', { end }],
  ])('does not hold up others by the end of a %s', async (what, spooled) => {
    const { uploader, sent } = start();
    uploader.add(spooled);
    uploader.add({ ...newPart(), meta: other });
    await settle();
    expect(sent).toHaveLength(1);
    const { sessionId, kind, part } = meta;
    uploader.onRefused({ type: 'log-refused', sessionId, kind, part: what === 'log' ? null : part });
    await settle();
    expect(sent.slice(1)).toMatchObject([{ sessionId: other.sessionId }]);
    await uploader.close();
  });

  test('is deleted when it is old', async () => {
    const { uploader, deletedParts, refuse } = start();
    uploader.onReady(Date.parse(meta.startedAt) + 31 * 24 * 3_600_000);
    uploader.add({ ...newPart(), isClosed: true });
    await settle();
    await refuse('SESSION_CLOSED');
    expect(deletedParts).toEqual([0]);
    await uploader.close();
  });
});

describe('what the server does not take', () => {
  const day = 24 * 3_600_000;
  const tryOnce = async (serverTime: number, isClosed = true) => {
    const { uploader, link, ...rest } = start();
    uploader.onReady(serverTime);
    uploader.add({ ...newPart(), isClosed });
    await settle();
    return { uploader, link, ...rest };
  };

  test('is deleted when it is old by the time of the server, with a line in the log', async () => {
    const { uploader, sent, deletedParts, logged } = await tryOnce(Date.parse(meta.startedAt) + 30 * day + 1);
    expect(sent).toHaveLength(1);
    expect(deletedParts).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(deletedParts).toEqual([0]);
    expect(logged).toEqual([expect.objectContaining({ sessionId: meta.sessionId, kind: meta.kind })]);
    expect(vi.getTimerCount()).toBe(0);
    await uploader.close();
  });

  test.each([
    ['is younger', Date.parse(meta.startedAt) + 30 * day, true],
    ['is still written', Date.parse(meta.startedAt) + 31 * day, false],
  ])('is sent again when it %s', async (_name, serverTime, isClosed) => {
    const { uploader, sent, deletedParts } = await tryOnce(serverTime, isClosed);
    await vi.advanceTimersByTimeAsync(90_000);
    expect([sent.length, deletedParts]).toEqual([2, []]);
    await uploader.close();
  });

  test('is sent again when the connection was lost meanwhile', async () => {
    const { uploader, link, sent, deletedParts } = await tryOnce(Date.parse(meta.startedAt) + 31 * day);
    link.isReady = false;
    uploader.onClosed();
    await settle();
    link.isReady = true;
    uploader.onReady(Date.parse(meta.startedAt) + 31 * day);
    await settle();
    expect([sent.length, deletedParts]).toEqual([2, []]);
    await uploader.close();
  });
});

describe('while viewers are shown much', () => {
  const mebibyte = 1024 * 1024;

  test('a chunk waits until they are shown less', async () => {
    const { uploader, link, sent } = start();
    link.interactiveBytes = mebibyte;
    uploader.add(newPart());
    await vi.advanceTimersByTimeAsync(99);
    expect(sent).toHaveLength(0);
    link.interactiveBytes += mebibyte;
    await vi.advanceTimersByTimeAsync(100);
    expect(sent).toHaveLength(0);
    link.interactiveBytes += 1000;
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(1);
    await uploader.close();
  });

  test('a chunk is sent after a second at the latest', async () => {
    const { uploader, link, sent } = start();
    link.interactiveBytes = mebibyte;
    uploader.add(newPart());
    for (let passed = 0; passed < 1000; passed += 100) {
      await settle();
      expect(sent).toHaveLength(0);
      link.interactiveBytes += mebibyte;
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(sent).toHaveLength(1);
    await uploader.close();
  });

  test('nothing waits when the spool has much already', async () => {
    const { uploader, link, sent } = start();
    link.interactiveBytes = mebibyte;
    uploader.add({ ...newPart(), chunks: Array.from({ length: 256 }, (_, chunk) => chunk) });
    await settle();
    expect(sent).toHaveLength(1);
    await uploader.close();
  });

  test('a close does not wait', async () => {
    const { uploader, link, sent } = start();
    link.interactiveBytes = mebibyte;
    uploader.add(newPart());
    await settle();
    await uploader.close();
    expect([sent, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
