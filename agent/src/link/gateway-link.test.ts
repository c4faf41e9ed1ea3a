import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFrame, frameKinds } from '@yagura/core/greac/stream/frame';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { systemTiming } from '../pace.ts';
import { GatewayLink } from './gateway-link.ts';

/** The masks of a client's messages, with the kinds of the frames in them (RFC 6455 section 5.2). */
function masksOf(wire: Buffer): { kind: number; mask: number }[] {
  const masks: { kind: number; mask: number }[] = [];
  for (let at = 0; at < wire.length; ) {
    const short = wire[at + 1]! & 0x7f;
    const maskAt = at + (short === 126 ? 4 : 2);
    const length = short === 126 ? wire.readUInt16BE(at + 2) : short;
    const mask = wire.readUInt32BE(maskAt);
    masks.push({ kind: wire[maskAt + 4]! ^ wire[maskAt]!, mask });
    at = maskAt + 4 + length;
  }
  return masks;
}

test('only messages that are not encrypted are masked', async () => {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const stop = new AbortController();
  const pieces: Buffer[] = [];
  let received = 0;
  let onReceived = () => {};
  http.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) => {
      // Before the masks are taken off, which changes the bytes.
      socket.prependListener('data', (bytes: Buffer) => pieces.push(Buffer.from(bytes)));
      opened.on('message', () => {
        received += 1;
        onReceived();
      });
      const welcome = { type: 'welcome', protocol: 1, serverTime: new Date().toISOString() };
      opened.send(encodeFrame('control', 0, new TextEncoder().encode(JSON.stringify(welcome))));
    }),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  let onReady = () => {};
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const link = new GatewayLink(
    {
      ...{ url: `http://127.0.0.1:${port}`, readToken: async () => 'ykr_test', log: () => undefined },
      ...{ timing: systemTiming, random: () => 0, now: Date.now },
    },
    {
      ...{ hello: () => ({ signingKey: '', sessions: [] }), onReady: () => onReady() },
      ...{ onOrder: () => undefined, onClosed: () => undefined },
    },
  );
  const running = link.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    http.close();
  });
  await ready;
  const channel = link.openChannel(1, 'interactive', { closed: () => undefined })!;
  channel.send(new Uint8Array(100).fill(7));
  link.send({ type: 'ended', sessionId: '8f14e45f-ceea-467f-a0e6-d1a5b1c2d3e4', reason: 'ended' });
  channel.send(new Uint8Array(1000).fill(7));
  while (received < 4)
    await new Promise<void>((resolve) => {
      onReceived = resolve;
    });
  const masks = masksOf(Buffer.concat(pieces));
  const { control, data } = frameKinds;
  expect(masks.map(({ kind }) => kind).sort()).toEqual([control, control, data, data]);
  for (const { kind, mask } of masks) expect([kind, mask === 0]).toEqual([kind, kind === data]);
  const [first, second] = masks.filter(({ kind }) => kind === control);
  expect(first!.mask).not.toBe(second!.mask);
});
