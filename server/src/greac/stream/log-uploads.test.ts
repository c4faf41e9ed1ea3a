import { decodeFrame, type Frame, firstGatewayChannel, readReset } from '@yagura/core/greac/stream/frame';
import { type GatewayReport, streamCodes } from '@yagura/core/greac/stream/gateway-protocol';
import { expect, test } from 'vitest';
import type { GatewayLink } from './gateway-link.ts';
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

test('more than a hundred whole chunks may be under way', () => {
  const { resets, uploads } = startUploads();
  for (let at = 0; at < 120; at++) {
    const channel = firstGatewayChannel + at;
    uploads.begin(about(channel));
    for (let piece = 0; piece < 8; piece++) uploads.onFrame(frame(channel, new Uint8Array(32 * 1024)));
  }
  expect(resets).toEqual([]);
});
