// Hands every request that is for no receiver on to the application, as it came, over a socket of this machine.
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { clientAddressHeader, formatClientAddress } from './client-address.ts';
import { closeAfterDrain, sendProblem } from './http-reply.ts';

/** Headers of one connection (RFC 9110, 7.6.1); the next one has its own. */
const hopByHopHeaders = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'];
/** Seconds after which somebody who finds the application away shall come again. */
const retryAfterSeconds = 2;

export class ApplicationProxy {
  private readonly socketPath: string;
  private readonly headers: Record<string, string>;
  /** A connection of a client has one of its own to the application, which ends with it. */
  private readonly agents = new WeakMap<Socket, Agent>();

  /** `headers` are those of every reply. */
  constructor(socketPath: string, headers: Record<string, string>) {
    this.socketPath = socketPath;
    this.headers = headers;
  }

  /** `expects` says that the client waits for a 100 before it sends its body. */
  request(request: IncomingMessage, response: ServerResponse, expects = false): void {
    const { method, url: path } = request;
    const headers = endToEndHeaders(request, [clientAddressHeader]);
    headers.push(clientAddressHeader, formatClientAddress(request.socket));
    if (request.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked');
    else if (request.headers['content-length'] === undefined && /^P/.test(method!))
      headers.push('content-length', '0');
    // Without the name of a host only HTTP/1.0 comes this far; the next hop speaks 1.1.
    if (request.headers.host === undefined) headers.push('host', '');
    const { socketPath } = this;
    const agent = this.agentOf(request.socket);
    const onward = httpRequest({ socketPath, agent, method, path, headers, setHost: false });
    let reply: IncomingMessage | undefined;
    onward.on('response', (incoming) => {
      reply = incoming;
      this.answer(request, response, incoming);
    });
    onward.on('error', () => {
      request.unpipe(onward);
      // A reply that came before all was sent goes on; when it breaks off, it says so itself.
      if (!reply) this.refuse(request, response);
    });
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    const send = () => {
      request.on('end', () => {
        if (Object.keys(request.trailers).length > 0) onward.addTrailers(request.trailers as never);
      });
      request.pipe(onward);
    };
    if (!expects) {
      send();
      return;
    }
    onward.on('continue', () => {
      response.writeContinue();
      send();
    });
    onward.flushHeaders();
  }

  /** A socket is handed on as it is, and whatever is said on it is the application's business. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const onward = connect(this.socketPath);
    const end = () => {
      socket.destroy();
      onward.destroy();
    };
    for (const one of [socket, onward]) one.on('error', end).on('close', end);
    onward.once('connect', () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      const { rawHeaders } = request;
      for (let at = 0; at < rawHeaders.length; at += 2)
        if (rawHeaders[at]!.toLowerCase() !== clientAddressHeader)
          lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
      lines.push(`${clientAddressHeader}: ${formatClientAddress(request.socket)}`);
      onward.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse, reply: IncomingMessage): void {
    const headers = endToEndHeaders(reply, []);
    // The application does not want the rest of the body: nor do we.
    if (reply.headers.connection === 'close' && !request.complete) {
      closeAfterDrain(request, response);
      headers.push('connection', 'close');
    }
    response.writeHead(reply.statusCode!, reply.statusMessage, headers as never);
    reply.on('close', () => {
      if (!reply.complete) response.destroy();
    });
    reply.on('error', () => response.destroy());
    reply.on('end', () => {
      if (Object.keys(reply.trailers).length > 0) response.addTrailers(reply.trailers as never);
    });
    reply.pipe(response);
    // What is streamed begins with its head.
    response.flushHeaders();
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    const detail = 'the application does not answer';
    const problem = new Problem('unavailable', { detail, retryAfter: retryAfterSeconds });
    const instance = request.url!.split('?')[0]!;
    sendProblem(request, response, problem, {
      headers: { ...this.headers, 'cache-control': 'no-store' },
      instance,
    });
  }

  private agentOf(socket: Socket): Agent {
    const known = this.agents.get(socket);
    if (known) return known;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    this.agents.set(socket, agent);
    socket.once('close', () => agent.destroy());
    return agent;
  }
}

/** The headers of a message but those of its connection and `others`, one after the other, each as it came. */
function endToEndHeaders({ rawHeaders, headers }: IncomingMessage, others: string[]): string[] {
  const named = headers.connection?.toLowerCase().split(/\s*,\s*/) ?? [];
  const left = new Set([...hopByHopHeaders, ...named, ...others]);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!left.has(rawHeaders[at]!.toLowerCase())) kept.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  return kept;
}
