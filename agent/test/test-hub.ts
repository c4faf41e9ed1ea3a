// The server's end of the agent protocol, with every message under the control of the test.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AgentMessage,
  type AgentProtocol,
  agentPath,
  readAgentMessage,
  type ServerMessage,
} from '@yagura/core/ksocket/agent-protocol';
import { type WebSocket, WebSocketServer } from 'ws';

type Wanted<T extends AgentMessage['type']> = Extract<AgentMessage, { type: T }>;

export interface TestHub {
  origin: string;
  /** Requests of the upgrade: their authorization headers. */
  authorizations: (string | undefined)[];
  /** All messages since the start that the protocol allows. */
  messages: AgentMessage[];
  send(message: ServerMessage | string): void;
  /** The next message of this type that was not returned before. */
  next<T extends AgentMessage['type']>(type: T): Promise<Wanted<T>>;
  /** Closes the connection of the agent. */
  drop(code?: number): void;
  close(): Promise<void>;
}

export async function startTestHub({
  protocol = 2 as AgentProtocol,
  /** Acknowledge chunks and ends as the server does. */
  acknowledge = true,
  accept = (_: string | undefined): boolean => true,
  /** Milliseconds by which the server's clock is ahead. */
  aheadMs = 0,
} = {}): Promise<TestHub> {
  const http = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  const waiting: { type: string; resolve: (message: never) => void }[] = [];
  const unread: AgentMessage[] = [];
  let current: WebSocket | undefined;
  const hub: TestHub = {
    origin: '',
    authorizations: [],
    messages: [],
    send: (message) => current?.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next(type) {
      const index = unread.findIndex((message) => message.type === type);
      if (index >= 0) return Promise.resolve(unread.splice(index, 1)[0] as never);
      return new Promise((resolve) => waiting.push({ type, resolve: resolve as never }));
    },
    drop: (code) => (code === undefined ? current?.terminate() : current?.close(code)),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.close();
      await once(http, 'close');
    },
  };
  const receive = (text: string) => {
    const result = readAgentMessage(JSON.parse(text), protocol);
    if (!('message' in result)) throw new Error(`invalid message: ${JSON.stringify(result)}`);
    const { message } = result;
    if (message.type === 'hello' && protocol === 2)
      hub.send({ type: 'welcome', protocol: 2, serverTime: new Date(Date.now() + aheadMs).toISOString() });
    if (acknowledge && message.type === 'hosts')
      hub.send({ type: 'stored', snapshotId: message.snapshotId, chunk: message.chunk });
    if (acknowledge && (message.type === 'done' || message.type === 'failed' || message.type === 'aborted'))
      hub.send({ type: 'closed', snapshotId: message.snapshotId });
    hub.messages.push(message);
    const index = waiting.findIndex(({ type }) => type === message.type);
    if (index >= 0) waiting.splice(index, 1)[0]!.resolve(message as never);
    else unread.push(message);
  };
  http.on('upgrade', (request, socket, head) => {
    const { authorization } = request.headers;
    hub.authorizations.push(authorization);
    if (request.url !== agentPath || !accept(authorization)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      current = opened;
      opened.on('message', (data) => receive(String(data)));
      opened.on('error', () => undefined);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  hub.origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return hub;
}
