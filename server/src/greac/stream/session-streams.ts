// Streams of viewers: admission by ticket, rights that are rechecked periodically, and presence in the session.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { session } from '@yagura/core/greac/session';
import {
  frameHeaderLength,
  streamHeartbeatMs,
  streamLimits,
  ticketSubprotocolPrefix,
  viewerSubprotocol,
} from '@yagura/core/greac/stream/frame';
import type { StreamBegin } from '@yagura/core/greac/stream/viewer-protocol';
import { Problem } from '@yagura/core/http/problem';
import { WebSocketServer } from 'ws';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { errorFields } from '../../common/log.ts';
import type { KeyedHash } from '../../common/secrets/server-secret.ts';
import {
  offeredSubprotocols,
  requirePermittedAddress,
  requireSubprotocol,
  type SocketGate,
} from '../../http/socket-gate.ts';
import type { CallerReference } from '../../identity/principal.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import {
  assertNotClosed,
  findSessionState,
  joinSession,
  lockSessionState,
  removeParticipant,
  type StreamEnd,
  streamEndChannel,
} from '../session-store.ts';
import { redeemTicket, type Ticket } from '../session-tickets.ts';
import { type Destination, requireDestination } from '../visible-destination.ts';
import { findReplicaOf, ReplicaForwarding } from './replica-forwarding.ts';
import { type RelayDeps, refusalCode, SessionRelay } from './session-relay.ts';
import { Viewer } from './viewer.ts';

/** The space that a viewer connects to. */
export interface StreamGate extends SocketGate {
  /** Public origin of the space; the pages of others may not open streams. */
  origin: string;
  /** The context of a caller as they are now. Throws a Problem for a caller without access to the space. */
  contextOf(caller: CallerReference, address: string, params: { sessionId: string }): Promise<RequestContext>;
}

export const streamPath = /^\/api\/apps\/greac\/sessions\/([\w-]{1,64})\/stream\/?$/;

/** Interval in milliseconds at which the rights of viewers are checked. */
const checkIntervalMs = 3_000;
/** Viewers checked at a time. */
const checkedAtOnce = 10;
/** Checks after which the presence of viewers is stored again. */
const checksPerPresence = 5;
/** Time for a viewer's first frame, in milliseconds. */
const beginTimeoutMs = 10_000;

interface Stream {
  viewer: Viewer;
  ticket: Ticket;
  gate: StreamGate;
}

export class SessionStreams {
  readonly relay: SessionRelay;
  private readonly deps: RelayDeps & { addressOf(request: IncomingMessage): string; secret: KeyedHash };
  private readonly forwarding: ReplicaForwarding;
  private readonly server = new WebSocketServer({
    noServer: true,
    maxPayload: streamLimits.payload + frameHeaderLength,
    perMessageDeflate: false,
    handleProtocols: () => viewerSubprotocol,
  });
  private readonly streams = new Set<Stream>();
  private readonly job: PeriodicJob;
  private stopHeartbeats: () => void = () => undefined;
  private readonly stops: (() => unknown)[] = [];
  private checks = 0;
  /** Changes to participants run one after the other, so that a stream that ends does not undo one that begins. */
  private presence: Promise<unknown> = Promise.resolve();

  constructor(deps: SessionStreams['deps']) {
    this.deps = deps;
    this.relay = new SessionRelay(deps);
    this.forwarding = new ReplicaForwarding(deps);
    const { clock, log } = deps;
    this.job = new PeriodicJob({
      ...{ clock, log },
      intervalMs: checkIntervalMs,
      failureMessage: 'the rights of viewers could not be checked',
      work: () => this.checkRights(),
    });
  }

  async start(): Promise<void> {
    this.stops.push(
      await this.deps.database.listen(streamEndChannel, (payload) =>
        this.relay.onStreamEnd(JSON.parse(payload) as StreamEnd),
      ),
    );
    this.job.start();
    this.stopHeartbeats = this.deps.clock.every(streamHeartbeatMs, () => {
      for (const { viewer } of [...this.streams]) viewer.heartbeat();
    });
  }

  async close(): Promise<void> {
    this.stopHeartbeats();
    for (const stop of this.stops.splice(0)) await stop();
    await this.job.close();
    const open = [...this.streams];
    this.streams.clear();
    for (const { viewer } of open) viewer.stop();
    this.forwarding.close();
    await this.presence;
    for (const { viewer } of open) viewer.terminate();
  }

  /** Resolves when changes to participants are stored. */
  async idle(): Promise<void> {
    await this.job.idle();
    await this.presence;
  }

  /** Ends this process's streams of a space. */
  disconnectSpace(spaceId: string): void {
    for (const { viewer, gate } of [...this.streams]) if (gate.spaceId === spaceId) viewer.end('FORBIDDEN');
  }

  /** Takes over a WebSocket from the HTTP server. Throws a Problem if the stream is refused. */
  async upgrade(gate: StreamGate, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const forwarded = this.forwarding.forwardedAddress(request);
    const address = forwarded ?? this.deps.addressOf(request);
    const path = (request.url ?? '').split('?')[0]!;
    requirePermittedAddress(gate, request, { address, path });
    const { origin } = request.headers;
    if (origin !== undefined && origin !== gate.origin)
      throw new Problem('forbidden', { detail: 'a stream is opened by a page of this space only' });
    const sessionId = streamPath.exec(path)?.[1] ?? '';
    if (!isUuid(sessionId)) throw new Problem('not-found');
    if (forwarded === undefined) {
      const at = await findReplicaOf(this.deps.database, gate.spaceId, sessionId);
      if (at && !this.relay.has(at.krokerId) && at.replicaUrl !== null)
        return this.forwarding.forward(at.replicaUrl, address, { request, socket, head });
    }
    const ticket = await this.redeem(gate, request, sessionId);
    const context = await gate.contextOf(ticket.caller, address, { sessionId: ticket.sessionId });
    await this.requireOpen(context, ticket.sessionId);
    this.server.handleUpgrade(request, socket, head, (opened) => {
      const details = { ...ticket, userId: ticket.caller.userId, address };
      const viewer = new Viewer(
        details,
        context,
        { socket: opened, stream: socket },
        {
          onBegin: (begin) => void this.begin(stream, begin),
          onEnd: () => this.onEnd(stream),
        },
      );
      const stream: Stream = { viewer, ticket, gate };
      this.streams.add(stream);
      this.deps.clock.after(beginTimeoutMs, () => {
        if (viewer.isWaiting) viewer.end('TIMEOUT');
      });
    });
  }

  private async redeem(gate: StreamGate, request: IncomingMessage, sessionId: string): Promise<Ticket> {
    const offered = offeredSubprotocols(request);
    requireSubprotocol(offered, viewerSubprotocol);
    const ticketProtocol = offered.find((name) => name.startsWith(ticketSubprotocolPrefix));
    const { database, clock } = this.deps;
    const at = { spaceId: gate.spaceId, sessionId, now: clock.now() };
    const ticket =
      ticketProtocol &&
      (await redeemTicket(database, at, ticketProtocol.slice(ticketSubprotocolPrefix.length)));
    if (!ticket)
      throw new Problem('sign-in-required', { detail: 'show a ticket that is neither used nor expired' });
    return ticket;
  }

  private async begin({ viewer }: Stream, begin: StreamBegin): Promise<void> {
    const { sessionId, context } = viewer;
    try {
      const { destination, assignedTo } = await this.requireOpen(context, sessionId);
      const krokerId = assignedTo ?? destination.krokerId;
      if (krokerId === null) return viewer.end('GATEWAY_AWAY');
      // Its user would watch what their own lost stream still controls.
      for (const { viewer: other } of [...this.streams])
        if (other.viewerId === begin.replaces && other.userId === viewer.userId) other.terminate();
      await this.relay.attach(viewer, begin, destination.destinationId, krokerId);
      this.changePresence(() => this.join(viewer));
    } catch (error) {
      viewer.end(refusalCode(error, this.deps.log));
    }
  }

  /** Throws a Problem if the caller may not be in the session. */
  private async requireOpen(
    context: RequestContext,
    sessionId: string,
  ): Promise<{ destination: Destination; assignedTo: string | null }> {
    context.require(`${session.permission}:join`);
    const { database } = this.deps;
    const found = await findSessionState(database, context, sessionId);
    if (!found) throw itemNotFound(context, session);
    assertNotClosed(context, found.status);
    const destination = await requireDestination(database, context, found.destinationId);
    return { destination, assignedTo: found.krokerId };
  }

  private onEnd(stream: Stream): void {
    this.streams.delete(stream);
    const { viewer } = stream;
    this.relay.detach(viewer);
    this.changePresence(() => this.leave(viewer));
  }

  private changePresence(change: () => Promise<void>): void {
    const message = 'the participants of a session were not stored';
    this.presence = this.presence
      .then(change)
      .catch((error: unknown) => this.deps.log({ level: 'warn', message, ...errorFields(error) }));
  }

  private async join(viewer: Viewer): Promise<void> {
    if (!viewer.isOpen) return;
    const { context, sessionId } = viewer;
    const isNew = await this.deps.database.transaction(async (tx) => {
      const found = await lockSessionState(tx, context, sessionId);
      return found?.status === 'opened' && joinSession(tx, context, sessionId);
    });
    if (isNew) announce(context, session, sessionId, 'update');
  }

  private async leave(viewer: Viewer): Promise<void> {
    const { sessionId, userId } = viewer;
    const isStillThere = [...this.streams].some(
      ({ viewer: other }) => other.sessionId === sessionId && other.userId === userId,
    );
    if (isStillThere) return;
    const { database, clock } = this.deps;
    const hasLeft = await database.transaction((tx) =>
      removeParticipant(tx, sessionId, userId, isoTime(clock.now())),
    );
    if (hasLeft) announce(viewer.context, session, sessionId, 'update');
  }

  /** Ends the streams of users who may no longer be in their session, and refreshes the presence of the others. */
  private async checkRights(): Promise<void> {
    const streams = [...this.streams];
    for (let at = 0; at < streams.length; at += checkedAtOnce)
      await Promise.all(streams.slice(at, at + checkedAtOnce).map((stream) => this.check(stream)));
    this.checks++;
    if (this.checks % checksPerPresence !== 0 || this.streams.size === 0) return;
    const present = [...this.streams].map(({ viewer }) => viewer);
    await this.deps.database.query(
      `update greac_participant set seen_at = $3
       where (session_id, user_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
      [
        present.map(({ sessionId }) => sessionId),
        present.map(({ userId }) => userId),
        isoTime(this.deps.clock.now()),
      ],
    );
  }

  private async check({ viewer, ticket, gate }: Stream): Promise<void> {
    const { sessionId, address } = viewer;
    try {
      if (!gate.permits(address)) return viewer.end('FORBIDDEN');
      viewer.context = await gate.contextOf(ticket.caller, address, { sessionId });
      await this.requireOpen(viewer.context, sessionId);
    } catch (error) {
      // An unavailable database says nothing about the viewer.
      if (!(error instanceof Problem)) return;
      if (error.kind === 'conflict' && this.relay.isEnding(viewer)) return;
      viewer.end(refusalCode(error, this.deps.log));
    }
  }
}
