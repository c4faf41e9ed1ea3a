// The server's end of the gateway protocol: relays frames of viewers without reading them, stores log chunks, and lets
// the test give orders.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeFrame,
  encodeFrame,
  encodeReset,
  type Frame,
  gatewayPath,
  gatewaySubprotocol,
} from '@yagura/core/greac/stream/frame';
import {
  type GatewayMessage,
  type GatewayOrder,
  gatewayMessage,
  logEndBytes,
  partDigestsBytes,
  type StreamCode,
  sealBytes,
  streamCodes,
} from '@yagura/core/greac/stream/gateway-protocol';
import { type WebSocket, WebSocketServer } from 'ws';

type Message<T extends GatewayMessage['type']> = Extract<GatewayMessage, { type: T }>;

export interface StoredPart {
  chunks: Buffer[];
  sealed?: Message<'sealed'>;
}

export interface TestGatewayServer {
  origin: string;
  messages: GatewayMessage[];
  /** Everything that arrived, to be searched for what must not be there. */
  wire: Buffer[];
  /** How many bytes that are. */
  wireBytes: number;
  /** Whether what is uploaded is stored. */
  storesLogs: boolean;
  /** With what chunks are refused once they have arrived. */
  refusal: StreamCode | undefined;
  /** Parts by `sessionId kind part`. */
  parts: Map<string, StoredPart>;
  /** Ends by `sessionId kind`. */
  ends: Map<string, Message<'log-end'>>;
  send(order: GatewayOrder): void;
  sendFrame(bytes: Uint8Array): void;
  /** The next message of this type that was not returned before. */
  next<T extends GatewayMessage['type']>(type: T): Promise<Message<T>>;
  /** Frames of one channel go to the listener. */
  listen(channel: number, listener: (frame: Frame) => void): void;
  /** Closes the connection of the gateway. */
  drop(): void;
  close(): Promise<void>;
}

export async function startTestGatewayServer({ storesLogs = true } = {}): Promise<TestGatewayServer> {
  const http = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(gatewaySubprotocol) ? gatewaySubprotocol : false),
  });
  const waiting: { type: string; resolve: (message: never) => void }[] = [];
  const unread: GatewayMessage[] = [];
  const listeners = new Map<number, (frame: Frame) => void>();
  const uploads = new Map<number, { log: Message<'log'>; bytes: Buffer[] }>();
  let current: WebSocket | undefined;
  const partOf = (log: { sessionId: string; kind: string; part: number }) => {
    const key = `${log.sessionId} ${log.kind} ${log.part}`;
    const part = server.parts.get(key) ?? { chunks: [] };
    server.parts.set(key, part);
    return part;
  };
  const server: TestGatewayServer = {
    ...{ origin: '', messages: [], wire: [], wireBytes: 0, parts: new Map(), ends: new Map() },
    ...{ storesLogs, refusal: undefined },
    send: (order) =>
      current?.send(encodeFrame('control', 0, new TextEncoder().encode(JSON.stringify(order)))),
    sendFrame: (bytes) => current?.send(bytes),
    next(type) {
      const index = unread.findIndex((message) => message.type === type);
      if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0] as never);
      return new Promise((resolve) => waiting.push({ type, resolve: resolve as never }));
    },
    listen: (channel, listener) => void listeners.set(channel, listener),
    drop: () => current?.terminate(),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
      await once(http, 'close');
    },
  };
  const receive = (message: GatewayMessage) => {
    if (message.type === 'hello')
      server.send({ type: 'welcome', protocol: 1, serverTime: new Date().toISOString() });
    if (message.type === 'log') uploads.set(message.channel, { log: message, bytes: [] });
    if (message.type === 'sealed' && server.storesLogs) {
      const { sessionId, kind, part } = message;
      partOf(message).sealed = message;
      server.send({ type: 'stored', sessionId, kind, part, chunk: null });
    }
    if (message.type === 'log-end' && server.storesLogs) {
      const { sessionId, kind } = message;
      server.ends.set(`${sessionId} ${kind}`, message);
      server.send({ type: 'log-end-stored', sessionId, kind });
    }
    server.messages.push(message);
    const index = waiting.findIndex(({ type }) => type === message.type);
    if (index >= 0) waiting.splice(index, 1)[0]!.resolve(message as never);
    else unread.push(message);
  };
  const receiveFrame = (frame: Frame) => {
    if (frame.kind === 'control')
      return receive(gatewayMessage.parse(JSON.parse(new TextDecoder().decode(frame.payload))));
    const upload = uploads.get(frame.channel);
    if (!upload) return listeners.get(frame.channel)?.(frame);
    if (frame.kind === 'data') upload.bytes.push(Buffer.from(frame.payload));
    if (frame.kind !== 'end' || !server.storesLogs) return;
    uploads.delete(frame.channel);
    if (server.refusal) return server.sendFrame(encodeReset(frame.channel, streamCodes[server.refusal]));
    const { sessionId, kind, part, chunk } = upload.log;
    partOf(upload.log).chunks[chunk] = Buffer.concat(upload.bytes);
    server.send({ type: 'stored', sessionId, kind, part, chunk });
  };
  http.on('upgrade', (request, socket, head) => {
    if (request.url !== gatewayPath || !request.headers.authorization?.startsWith('Bearer ykr_')) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      current = opened;
      opened.on('message', (data) => {
        const bytes = data as Buffer;
        server.wire.push(Buffer.from(bytes));
        server.wireBytes += bytes.length;
        const frame = decodeFrame(bytes);
        if (!frame) throw new Error('invalid frame');
        receiveFrame(frame);
      });
      opened.on('error', () => undefined);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  server.origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

/** Whether the seal of a part fits its chunks. */
export function isSealValid({ chunks, sealed }: StoredPart, signingKey: string): boolean {
  if (!sealed) return false;
  const { type: _, signature, ...seal } = sealed;
  const bytes = Buffer.concat(chunks);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const isFitting = seal.digest === digest && seal.bytes === bytes.length && seal.chunks === chunks.length;
  return isFitting && isSigned(sealBytes(seal), signature, signingKey);
}

/** Whether the end of a log fits its parts. */
export function isEndValid(
  { type: _, signature, ...end }: Message<'log-end'>,
  parts: readonly StoredPart[],
  signingKey: string,
): boolean {
  const digests = parts.map(({ sealed }) => sealed?.digest ?? '');
  const digest = createHash('sha256').update(partDigestsBytes(digests)).digest('base64url');
  const bytes = parts.reduce((sum, { chunks }) => sum + Buffer.concat(chunks).length, 0);
  const isFitting = end.digest === digest && end.bytes === bytes && end.parts === parts.length;
  return isFitting && isSigned(logEndBytes(end), signature, signingKey);
}

function isSigned(bytes: Uint8Array, signature: string, signingKey: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signingKey }, format: 'jwk' });
  return verify(null, bytes, key, Buffer.from(signature, 'base64url'));
}
