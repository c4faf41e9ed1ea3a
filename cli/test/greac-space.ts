// A space with one destination whose sessions end in a gateway of this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestGateway } from '@yagura/core/greac/stream/test-gateway';
import { acceptViewers } from '@yagura/fixtures/testbed/accept-viewers';
import { listenOnLoopback } from './listen-on-loopback.ts';

export const destinationId = '0190a0a0-0000-7000-8000-000000000001';
export const sessionId = '0190a0a0-0000-7000-8000-000000000002';

export class GreacSpace {
  readonly folder = mkdtempSync(join(tmpdir(), 'yagura-greac-'));
  origin = '';
  gateway = this.newGateway();
  /** Calls that change something, as `METHOD path`. */
  calls: string[] = [];
  /** Bodies of opened sessions. */
  opened: unknown[] = [];
  /** Paths of the streams that viewers have opened. */
  streams: string[] = [];
  /** A problem in place of the attachment. */
  refusal: { status: number; body: object; headers?: Record<string, string> } | undefined;
  /** Of the session. */
  closeReason: string | null = null;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify(body));
      };
      const path = request.url!.split('?')[0]!;
      let body = '';
      for await (const chunk of request) body += chunk;
      const item = {
        ...{ destinationId, displayName: 'web1', destinationName: 'web1', sessionId, protocol: 'ssh' },
        closeReason: this.closeReason,
      };
      if (request.method === 'POST') this.calls.push(`POST ${path}`);
      if (path.endsWith('/attach'))
        return this.refusal
          ? reply(this.refusal.status, this.refusal.body, this.refusal.headers)
          : reply(200, await this.gateway.attach());
      if (request.method === 'POST' && path.endsWith('/sessions')) {
        this.opened.push(JSON.parse(body));
        return reply(201, item);
      }
      if (request.method === 'POST') return reply(200, {});
      if (path.endsWith('/destinations')) return reply(200, { items: [item], total: 1 });
      reply(path.endsWith(destinationId) || path.endsWith(sessionId) ? 200 : 404, item);
    });
    acceptViewers(this.#server, (path) => {
      this.streams.push(path);
      return this.gateway;
    });
  }

  private newGateway() {
    return new TestGateway(() => Date.now(), sessionId);
  }

  async start(): Promise<void> {
    this.origin = await listenOnLoopback(this.#server);
  }

  /** Forgets what happened so far; the next gateway has another key, and is not known. */
  reset(): void {
    rmSync(join(this.folder, 'gateways.json'), { force: true });
    this.gateway = this.newGateway();
    this.calls = [];
    this.opened = [];
    this.streams = [];
    this.refusal = undefined;
    this.closeReason = null;
  }

  get env(): NodeJS.ProcessEnv {
    return { YAGURA_URL: this.origin, YAGURA_TOKEN: 'token', YAGURA_CONFIG_DIR: this.folder };
  }

  /** The next connection of a viewer, when its session is connected. */
  async connected() {
    while (this.gateway.sockets.length === 0) await new Promise(setImmediate);
    const { socket } = this.gateway;
    await socket.sendControl({ type: 'state', state: 'connected' });
    return socket;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true });
  }
}
