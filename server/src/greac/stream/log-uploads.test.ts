import { decodeFrame, type Frame, firstGatewayChannel, readReset } from '@yagura/core/greac/stream/frame';
import { type GatewayReport, streamCodes } from '@yagura/core/greac/stream/gateway-protocol';
import { expect, test } from 'vitest';
import { ManualClock } from '../../common/clock.ts';
import type { GatewayLink } from './gateway-link.ts';
import { LogSpace } from './log-space.ts';
import { type LogUploadDeps, LogUploads } from './log-uploads.ts';

/** Uploads of a gateway, with the codes of the channels that the server has reset. */
function startUploads() {
  const resets: (number | null)[] = [];
  const link = {
    sendFrame: (_channel: number, frame: Uint8Array) => resets.push(readReset(decodeFrame(frame)!)),
  } as Partial<GatewayLink> as GatewayLink;
  // Nothing is stored before a chunk is complete.
  return { resets, uploads: new LogUploads({} as LogUploadDeps, link) };
}

const about = (channel: number) => ({ type: 'log', channel }) as GatewayReport<'log'>;
const frame = (channel: number, payload: Uint8Array, kind: Frame['kind'] = 'data') =>
  ({ kind, channel, payload, bytes: payload }) as const;

test('many empty uploads count against the memory of a gateway', () => {
  const { resets, uploads } = startUploads();
  for (let at = 0; at < 65_536; at++) uploads.begin(about(firstGatewayChannel + at));
  expect(resets).toEqual([]);
  uploads.begin(about(firstGatewayChannel + 65_536));
  expect(resets).toEqual([streamCodes.CONNECTION_LIMIT_REACHED]);
  uploads.onFrame(frame(firstGatewayChannel, new Uint8Array(), 'reset'));
  uploads.begin(about(firstGatewayChannel + 65_536));
  expect(resets).toHaveLength(1);
});

test('tiny pieces count with what each costs in memory', () => {
  const { resets, uploads } = startUploads();
  uploads.begin(about(firstGatewayChannel));
  for (let at = 0; at < 70_000 && resets.length === 0; at++)
    uploads.onFrame(frame(firstGatewayChannel, new Uint8Array(1)));
  expect(resets).toEqual([streamCodes.CONNECTION_LIMIT_REACHED]);
});

test('the bytes that were stored are counted, those of a repeated chunk once', async () => {
  const stored: number[] = [];
  const sent: unknown[] = [];
  const rowCounts = { session: [1], chunk: [1, 0] };
  const database = {
    query: async (text: string) => {
      const rowCount = (text.startsWith('select') ? rowCounts.session : rowCounts.chunk).shift()!;
      return { rowCount, rows: Array.from({ length: rowCount }, () => ({})) };
    },
  } as unknown as LogUploadDeps['database'];
  const link = { spaceId: 's', krokerId: 'k', send: (one: unknown) => sent.push(one) };
  const deps = { database, clock: new ManualClock(), onLogStored: (bytes: number) => stored.push(bytes) };
  const uploads = new LogUploads(
    deps as Partial<LogUploadDeps> as LogUploadDeps,
    link as Partial<GatewayLink> as GatewayLink,
  );
  for (let time = 0; time < 2; time++) {
    uploads.begin(about(firstGatewayChannel));
    uploads.onFrame(frame(firstGatewayChannel, new Uint8Array(300)));
    await (uploads.onFrame(frame(firstGatewayChannel, new Uint8Array(), 'end')) as () => Promise<void>)();
  }
  expect(sent).toHaveLength(2);
  expect(stored).toEqual([300]);
});

test('chunks are refused while the disk is nearly full, and taken afterwards', () => {
  const resets: (number | null)[] = [];
  const lines: string[] = [];
  let free = 99;
  const link = {
    sendFrame: (_channel: number, frame: Uint8Array) => resets.push(readReset(decodeFrame(frame)!)),
  } as Partial<GatewayLink> as GatewayLink;
  const logSpace = new LogSpace({ bytes: () => free }, 100, ({ message }) => lines.push(message));
  const uploads = new LogUploads({ logSpace } as Partial<LogUploadDeps> as LogUploadDeps, link);
  for (const channel of [firstGatewayChannel, firstGatewayChannel + 1]) uploads.begin(about(channel));
  expect(resets).toEqual([streamCodes.NO_SPACE, streamCodes.NO_SPACE]);
  free = 100;
  uploads.begin(about(firstGatewayChannel));
  expect(resets).toHaveLength(2);
  expect(lines).toEqual([
    'recordings of sessions wait at their gateways: the disk of the data folder is nearly full',
    'recordings of sessions are stored again',
  ]);
});

test('more than a hundred whole chunks may be under way', () => {
  const { resets, uploads } = startUploads();
  for (let at = 0; at < 120; at++) {
    const channel = firstGatewayChannel + at;
    uploads.begin(about(channel));
    for (let piece = 0; piece < 8; piece++) uploads.onFrame(frame(channel, new Uint8Array(32 * 1024)));
  }
  expect(resets).toEqual([]);
});
