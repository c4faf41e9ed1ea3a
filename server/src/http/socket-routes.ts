// Routes WebSocket upgrades by path; any other upgrade is refused.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { problemResponse } from './client-error.ts';

/** Takes over the socket; a Problem thrown here becomes the reply. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

export class SocketRoutes {
  private readonly routes: { path: RegExp; upgrade: UpgradeHandler }[] = [];
  private readonly open = new Set<Duplex>();
  private isClosed = false;
  private readonly headers: Record<string, string>;

  /** `headers` are added to every refusal. */
  constructor(headers: Record<string, string>) {
    this.headers = headers;
  }

  add(path: RegExp, upgrade: UpgradeHandler): void {
    this.routes.push({ path, upgrade });
  }

  /** Ends all sockets: the HTTP server waits for them when it closes. */
  close(): void {
    this.isClosed = true;
    for (const socket of this.open) socket.destroy();
  }

  /** Never throws; errors are written to the socket. */
  async handle(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = (request.url ?? '').split('?')[0]!;
    const route = this.routes.find((one) => one.path.test(path));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.open.delete(socket));
    this.open.add(socket);
    try {
      if (this.isClosed) throw new Problem('unavailable', { detail: 'the server stops' });
      if (!route) throw new Problem('not-found', { detail: 'no such call' });
      await route.upgrade(request, socket, head);
    } catch (error) {
      rejectUpgrade(socket, error instanceof Problem ? error : new Problem('internal'), this.headers);
    }
  }
}

/** Answers a WebSocket upgrade with a problem and closes the socket. */
export function rejectUpgrade(socket: Duplex, problem: Problem, headers: Record<string, string>): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(
    problemResponse(problem, {
      ...headers,
      ...(problem.status === 401 && { 'www-authenticate': 'Bearer realm="yagura"' }),
    }),
  );
}
