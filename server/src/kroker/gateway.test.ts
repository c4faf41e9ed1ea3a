// What a gateway sends is checked, and worked on in its order.
import { PassThrough } from 'node:stream';
import { controlChannel, encodeFrame } from '@yagura/core/greac/stream/frame';
import { closeCodes } from '@yagura/core/http/close-codes';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { Gateway, type GatewayHandlers } from './gateway.ts';

const identity = { spaceId: 'space', krokerId: 'kroker', connectionId: 'connection', displayName: 'Tokyo' };
const hello = {
  type: 'hello',
  protocols: [1],
  version: '1.0',
  signingKey: 'k'.repeat(43),
  sessions: [],
};
const sessionId = '01a1fea7-056f-700d-b199-539c2daf013a';
const ended = { type: 'ended', sessionId, reason: 'ended' };

function connect(handlers: Partial<GatewayHandlers> = {}) {
  const seen: unknown[] = [];
  const tracked: Promise<unknown>[] = [];
  const socket = {
    OPEN: 1,
    readyState: 1,
    isPaused: false,
    pause() {
      socket.isPaused = true;
    },
    resume() {
      socket.isPaused = false;
    },
    close(code: number, reason: string) {
      socket.readyState = 2;
      seen.push([code, reason]);
    },
    terminate: () => void seen.push('terminated'),
    send: () => undefined,
  };
  const gateway = new Gateway(identity, socket as unknown as WebSocket, new PassThrough(), {
    onHello: async () => void seen.push('hello'),
    onReport: (_gateway, report) => async () => void seen.push(report.type),
    onFrame: (_gateway, frame) => async () => void seen.push(`frame ${frame.channel}`),
    onUnknown: (_gateway, type) => void seen.push(`unknown ${type}`),
    onFailure: (_gateway, error) => void seen.push(String(error)),
    track: (work) => void tracked.push(work),
    ...handlers,
  });
  const receive = (payload: string, channel = controlChannel) =>
    gateway.receive(Buffer.from(encodeFrame('control', channel, Buffer.from(payload))), true);
  const tell = (message: unknown) => receive(JSON.stringify(message));
  return { gateway, socket, seen, tracked, receive, tell };
}

const refusal = (field = '') => [
  closeCodes.malformed,
  `not a message of this protocol${field && `: ${field}`}`,
];

test('says hello first and once, then reports, each in its turn', async () => {
  const { gateway, seen, tracked, tell } = connect();
  expect(gateway).toMatchObject({ ...identity, wasGreeted: false, signingKey: '' });
  tell(hello);
  tell(ended);
  expect(gateway).toMatchObject({ wasGreeted: true, signingKey: hello.signingKey });
  gateway.receive(Buffer.from(encodeFrame('data', 7, Buffer.from('x'))), true);
  await Promise.all(tracked);
  expect(seen).toEqual(['hello', 'ended', 'frame 7']);
  tell(hello);
  expect(seen.at(-1)).toEqual(refusal('type'));
});

test.each([
  ['a report before the hello', JSON.stringify(ended), refusal('type')],
  ['a protocol of the future', JSON.stringify({ ...hello, protocols: [99] }), refusal('protocols')],
  ['a wrong field', JSON.stringify({ ...hello, signingKey: 1 }), refusal('signingKey')],
  ['no type', '{}', refusal('type')],
  ['no object', 'null', refusal()],
  ['no JSON', '{', refusal()],
  // Otherwise one of a later version.
  ['deep nesting', `{"type":"from the future","x":${'['.repeat(8)}${']'.repeat(8)}}`, refusal()],
])('%s is refused', (_name, payload, expected) => {
  const { seen, receive } = connect();
  receive(payload);
  expect(seen).toEqual([expected]);
});

test('a control message on another channel, a text and a frame before the hello are refused', () => {
  const other = connect();
  other.receive(JSON.stringify(hello), 5);
  expect(other.seen).toEqual([refusal('channel')]);
  const text = connect();
  text.gateway.receive(Buffer.from(JSON.stringify(hello)), false);
  expect(text.seen).toEqual([refusal()]);
  const frame = connect();
  frame.gateway.receive(Buffer.from(encodeFrame('data', 7, Buffer.from('x'))), true);
  expect(frame.seen).toEqual([refusal()]);
  frame.tell(hello);
  expect(frame.seen, 'nothing is read behind a refusal').toHaveLength(1);
});

test('a message of a later version is passed over', () => {
  const { seen, tell } = connect();
  tell({ type: 'from the future', x: [[[[[[[]]]]]]] });
  expect(seen).toEqual(['unknown from the future']);
});

test('work that fails ends the connection, so that the gateway sends it again', async () => {
  const { gateway, seen, tracked } = connect();
  void gateway.run(() => Promise.reject(new Error('away')));
  await Promise.all(tracked);
  expect(seen).toEqual(['Error: away', [1011, 'try again']]);
});

test('with 64 messages to work on, no more are read until one is done', async () => {
  const { gateway, socket } = connect();
  const ends: (() => void)[] = [];
  const waiting = Array.from({ length: 64 }, (_, index) => {
    if (index === 63) expect(socket.isPaused).toBe(false);
    return gateway.run(() => new Promise<void>((resolve) => ends.push(resolve)));
  });
  expect(socket.isPaused).toBe(true);
  await Promise.resolve();
  ends[0]!();
  await waiting[0];
  expect(socket.isPaused).toBe(false);
});
