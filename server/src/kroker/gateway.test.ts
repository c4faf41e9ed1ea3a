// What a gateway sends is checked, and worked on in its order.
import { PassThrough } from 'node:stream';
import { controlChannel, decodeFrame, encodeFrame, type Frame } from '@yagura/core/greac/stream/frame';
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
  const sent: Frame[] = [];
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
    send(bytes: Uint8Array, done: () => void) {
      sent.push(decodeFrame(bytes)!);
      if (!socket.isSlow) done();
    },
    /** What is sent does not reach the network. */
    isSlow: false,
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
  return { gateway, socket, seen, sent, tracked, receive, tell };
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
  expect(frame.gateway.wasGreeted).toBe(false);
});

test('one protocol in common is enough, and a text that is not UTF-8 is refused', () => {
  const later = connect();
  later.tell({ ...hello, protocols: [99, 1] });
  expect(later.gateway.wasGreeted).toBe(true);
  const damaged = connect();
  const payload = Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  damaged.gateway.receive(Buffer.from(encodeFrame('control', controlChannel, payload)), true);
  expect(damaged.seen).toEqual([refusal()]);
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

test('orders go before the frames of channels, which can be dropped while they wait', async () => {
  const { gateway, socket, sent } = connect();
  const done: number[] = [];
  const frame = (channel: number) => encodeFrame('data', channel, Buffer.from('x'));
  for (const channel of [7, 8]) gateway.sendFrame(channel, frame(channel), () => void done.push(channel));
  gateway.send({ type: 'welcome', protocol: 1, serverTime: '2026-01-01T00:00:00.000Z' });
  gateway.dropChannel(7);
  await Promise.resolve();
  expect(sent.map(({ kind, channel }) => `${kind} ${channel}`)).toEqual([
    ...[`control ${controlChannel}`, 'data 8'],
  ]);
  expect(JSON.parse(Buffer.from(sent[0]!.payload).toString())).toMatchObject({
    type: 'welcome',
    protocol: 1,
  });
  expect(done).toEqual([8]);
  socket.readyState = 2;
  gateway.sendFrame(8, frame(8));
  await Promise.resolve();
  expect(sent).toHaveLength(2);
});

test('a gateway that does not read eight megabytes of orders is disconnected', async () => {
  const { gateway, socket, seen } = connect();
  socket.isSlow = true;
  const order = (bytes: number) => gateway.sendFrame(controlChannel, new Uint8Array(bytes));
  // In flight, so that all that follows waits.
  order(64 * 1024);
  await Promise.resolve();
  for (let megabyte = 0; megabyte < 8; megabyte++) order(1024 * 1024);
  expect(seen).toEqual([]);
  order(1);
  expect(seen).toEqual(['terminated']);
});

test('work begins when that before it has ended, also when that has failed', async () => {
  const { gateway, seen } = connect();
  let release = () => {};
  void gateway.run(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  void gateway.run(() => Promise.reject(new Error('away')));
  const last = gateway.run(async () => void seen.push('last'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
  release();
  await last;
  expect(seen).toEqual(['Error: away', [1011, 'try again'], 'last']);
});
