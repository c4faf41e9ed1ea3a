// Proxies all requests that are not for the receiver to the application, unchanged, over a local socket.
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { clientAddressHeader, formatClientAddress } from './client-address.ts';
import { closeAfterDrain, sendProblem } from './http-reply.ts';

/** Hop-by-hop headers (RFC 9110, 7.6.1), and our own. */
const hopByHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  clientAddressHeader,
]);
/**
 * Headers that no Connection header removes: the next hop needs them, or a proxy before this server has added them about the
 * client that chose the Connection header.
 */
const keptHeader = /^(?:content-length|host|x-forwarded-.*)$/;
/** Retry-After in seconds when the application is unavailable. */
const retryAfterSeconds = 2;

export class ApplicationProxy {
  private readonly socketPath: string;
  private readonly headers: Record<string, string>;
  /** Each client connection has its own connection to the application, which is closed with it. */
  private readonly agents = new WeakMap<Socket, Agent>();

  /** `headers` are added to every response. */
  constructor(socketPath: string, headers: Record<string, string>) {
    this.socketPath = socketPath;
    this.headers = headers;
  }

  /** `expects` means that the client waits for a 100 before it sends its body. */
  request(request: IncomingMessage, response: ServerResponse, expects = false): void {
    const { method, url: path } = request;
    const headers = endToEndHeaders(request);
    headers.push(clientAddressHeader, formatClientAddress(request.socket));
    if (request.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked');
    else if (request.headers['content-length'] === undefined && /^P/.test(method!))
      headers.push('content-length', '0');
    // Only HTTP/1.0 requests may lack a host; the next hop uses 1.1.
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
      // A response that began before the request was complete continues; if it is aborted, its own handler
      // reports that.
      if (!reply) this.refuse(request, response);
    });
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    const send = () => {
      request.on('end', () => {
        if (request.rawTrailers.length > 0) onward.addTrailers(request.trailers as never);
      });
      request.pipe(onward);
    };
    if (!expects) {
      if (hasBody(request)) send();
      else onward.end();
      return;
    }
    onward.on('continue', () => {
      response.writeContinue();
      send();
    });
    onward.flushHeaders();
  }

  /** An upgraded socket is piped unchanged; its protocol is up to the application. */
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
    const headers = endToEndHeaders(reply);
    // The application rejects the rest of the body, so stop reading it here too.
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
      if (reply.rawTrailers.length > 0) response.addTrailers(reply.trailers as never);
    });
    // The headers of a streamed response leave at once; with a body that is already there they leave in one write.
    response.cork();
    response.flushHeaders();
    reply.pipe(response);
    setImmediate(() => response.uncork());
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

/** A request without either header has no body (RFC 9112, 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Raw headers of a message without hop-by-hop headers, in their original order. */
function endToEndHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = headersNamedBy(headers.connection);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!hopByHopHeaders.has(name) && !named?.has(name)) kept.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return kept;
}

/** Headers that are for this hop alone because the Connection header says so; undefined for none. */
function headersNamedBy(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  const names = connection.toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()).filter((name) => !keptHeader.test(name)));
}
