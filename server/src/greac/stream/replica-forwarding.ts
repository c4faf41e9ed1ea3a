// Forwards streams of viewers to the replica that has the connection of the gateway, which serves them as if they had
// arrived there. The address of the viewer is signed with the secret of the installation.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { frameHeaderLength, streamLimits, viewerSubprotocol } from '@yagura/core/greac/stream/frame';
import { Problem } from '@yagura/core/http/problem';
import { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../common/clock.ts';
import type { KeyedHash } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import { offeredSubprotocols } from '../../http/socket-gate.ts';

const header = 'x-yagura-viewer';
/** How long a signed address is valid, in milliseconds. */
const lifetimeMs = 30_000;
/** Bytes that one side has not taken until the other is paused. */
const maxUnsent = 256 * 1024;
const connectTimeoutMs = 10_000;

export class ReplicaForwarding {
  private readonly deps: { clock: Clock; secret: KeyedHash };
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: streamLimits.payload + frameHeaderLength,
    perMessageDeflate: false,
    handleProtocols: () => viewerSubprotocol,
  });
  private readonly open = new Set<WebSocket>();

  constructor(deps: ReplicaForwarding['deps']) {
    this.deps = deps;
  }

  close(): void {
    for (const socket of this.open) socket.terminate();
  }

  /** Address of the viewer whose stream another replica forwards; undefined for a stream of a viewer itself. */
  forwardedAddress(request: IncomingMessage): string | undefined {
    const headerValue = request.headers[header];
    if (headerValue === undefined) return undefined;
    const [address = '', expiresAt = '', signature = ''] = String(headerValue).split(' ');
    const expected = this.sign(request.url ?? '', address, expiresAt);
    const given = Buffer.from(signature, 'base64url');
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isSigned || !(Number(expiresAt) > this.deps.clock.now()))
      throw new Problem('forbidden', { detail: 'the stream was not forwarded by a replica of this server' });
    return address;
  }

  /** Connects the viewer with the replica at `replicaUrl`. Throws a Problem if that one refuses the stream. */
  async forward(
    replicaUrl: string,
    address: string,
    { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  ): Promise<void> {
    const path = request.url ?? '';
    const expiresAt = String(this.deps.clock.now() + lifetimeMs);
    const { host, origin } = request.headers;
    const upstream = new WebSocket(
      `${replicaUrl.replace(/^http/, 'ws')}${path}`,
      offeredSubprotocols(request),
      {
        headers: {
          [header]: `${address} ${expiresAt} ${this.sign(path, address, expiresAt).toString('base64url')}`,
          ...(host === undefined ? {} : { host }),
          ...(origin === undefined ? {} : { origin }),
        },
        handshakeTimeout: connectTimeoutMs,
        maxPayload: streamLimits.payload + frameHeaderLength,
        perMessageDeflate: false,
        // The viewer answers: this replica does not know whether it is still there.
        autoPong: false,
      },
    );
    // What arrives before the viewer's side is ready waits in the network.
    await new Promise<void>((resolve, reject) => {
      upstream.once('open', () => {
        upstream.pause();
        resolve();
      });
      upstream.once('unexpected-response', (_request, response) => {
        response.resume();
        reject(refusalOf(response.statusCode));
      });
      upstream.on('error', () =>
        reject(new Problem('unavailable', { detail: 'another replica cannot be reached' })),
      );
    });
    this.server.handleUpgrade(request, socket, head, (viewer) => {
      this.connect(viewer, upstream);
      this.connect(upstream, viewer);
      upstream.on('ping', () => viewer.ping());
      viewer.on('pong', () => {
        if (upstream.readyState === upstream.OPEN) upstream.pong();
      });
      upstream.resume();
    });
  }

  private connect(from: WebSocket, to: WebSocket): void {
    this.open.add(from);
    from.on('error', () => from.terminate());
    from.on('message', (data, isBinary) => {
      if (to.readyState !== to.OPEN) return;
      to.send(data, { binary: isBinary }, () => {
        if (to.bufferedAmount <= maxUnsent && from.isPaused) from.resume();
      });
      if (to.bufferedAmount > maxUnsent) from.pause();
    });
    from.on('close', (code, reason) => {
      this.open.delete(from);
      // Codes that mean that there was no close frame must not be sent.
      if (code === 1000 || code === 1001) to.close(code, reason);
      else to.terminate();
    });
  }

  private sign(path: string, address: string, expiresAt: string): Buffer {
    return this.deps.secret.keyedHash(`forwarded stream ${path} ${address} ${expiresAt}`);
  }
}

function refusalOf(status: number | undefined): Problem {
  if (status === 401)
    return new Problem('sign-in-required', { detail: 'show a ticket that is neither used nor expired' });
  if (status === 403) return new Problem('forbidden');
  if (status === 404) return new Problem('not-found');
  if (status === 409) return new Problem('conflict', { title: 'SESSION_CLOSED' });
  return new Problem('unavailable', { detail: 'another replica has refused the stream' });
}

/** Where the gateway of a session is connected; undefined if it is not. */
export async function findReplicaOf(
  db: Queryable,
  spaceId: string,
  sessionId: string,
): Promise<{ krokerId: string; replicaUrl: string | null } | undefined> {
  const { rows } = await db.query<{ krokerId: string; replicaUrl: string | null }>(
    `select c.kroker_id as "krokerId", c.replica_url as "replicaUrl" from greac_session s
     left join resource d on d.space_id = s.space_id and d.kind = 'destination' and d.id = s.destination_id
     join kroker_connection c on c.kroker_id = coalesce(s.kroker_id, (d.body->>'krokerId')::uuid)
     where s.space_id = $1 and s.session_id = $2`,
    [spaceId, sessionId],
  );
  return rows[0];
}
