// Moves the frames of remote sessions between viewers and gateways of this replica. The server cannot read them.
import {
  encodeCredit,
  firstGatewayChannel,
  forwardFrame,
  type ReceivedFrame,
  readReset,
} from '@yagura/core/greac/stream/frame';
import {
  type GatewayHello,
  type GatewayReport,
  type StreamCode,
  sessionEndMs,
  streamCodeName,
} from '@yagura/core/greac/stream/gateway-protocol';
import type { StreamBegin } from '@yagura/core/greac/stream/viewer-protocol';
import { Problem } from '@yagura/core/http/problem';
import { errorFields, type Log } from '../../common/log.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { MessageWork } from '../../http/socket-gate.ts';
import { StreamRefusal, sessionLimits } from '../session-limits.ts';
import type { StreamEnd } from '../session-store.ts';
import { FileRequests } from './file-requests.ts';
import type { GatewayLink } from './gateway-link.ts';
import { type LogUploadDeps, LogUploads } from './log-uploads.ts';
import { assignSession, releaseSession } from './open-session.ts';
import { type ReportDeps, reconcileSessions, storeEnded, storeOpened } from './session-reports.ts';
import type { Viewer } from './viewer.ts';

/** Bytes of a viewer that wait for the gateway's network until its socket is paused. */
const maxQueued = 256 * 1024;
/** How much later than the gateway the server ends the streams of a session that is over, in milliseconds. */
const endMarginMs = 5_000;

/** A gateway with its sessions and viewers. */
interface GatewayState {
  link: GatewayLink;
  /** Sessions that the gateway holds or was told to open. */
  sessions: Set<string>;
  opening: Map<string, Promise<void>>;
  /** Sessions that are over by report of the gateway, which ends the streams of their viewers, with the reason. */
  ending: Map<string, StreamCode>;
  viewers: Map<number, Viewer>;
  nextChannel: number;
  uploads: LogUploads;
  files: FileRequests;
}

export interface RelayDeps extends ReportDeps, LogUploadDeps {}

export class SessionRelay {
  private readonly deps: RelayDeps;
  private readonly states = new Map<string, GatewayState>();
  /** The gateway of each viewer, and the channel there. */
  private readonly channels = new WeakMap<Viewer, { state: GatewayState; channel: number }>();
  /** Sessions are assigned one after the other: they wait for the same lock, and should not do so in the database. */
  private assigning: Promise<unknown> = Promise.resolve();

  constructor(deps: RelayDeps) {
    this.deps = deps;
  }

  /** Whether the Kroker's gateway is connected to this replica. */
  has(krokerId: string): boolean {
    return this.states.has(krokerId);
  }

  async onHello(link: GatewayLink, { sessions }: GatewayHello, welcome: () => void): Promise<void> {
    const kept = await reconcileSessions(this.deps, link, sessions);
    if (!link.isOpen) return;
    const before = this.states.get(link.krokerId);
    if (before) this.forget(before);
    this.states.set(link.krokerId, {
      link,
      sessions: kept,
      opening: new Map(),
      ending: new Map(),
      viewers: new Map(),
      nextChannel: 1,
      uploads: new LogUploads(this.deps, link),
      files: new FileRequests(this.deps, link),
    });
    welcome();
    for (const { sessionId } of sessions) if (!kept.has(sessionId)) link.send({ type: 'close', sessionId });
  }

  onDisconnected(link: GatewayLink): void {
    const state = this.stateOf(link);
    if (state) this.forget(state);
  }

  onReport(link: GatewayLink, report: GatewayReport): MessageWork {
    const state = this.stateOf(link);
    // Nothing is reported before the gateway was welcomed.
    if (!state) return void link.refuse('type');
    switch (report.type) {
      case 'opened':
        return () => storeOpened(this.deps, link, report);
      case 'failed': {
        const { sessionId, code, params } = report;
        this.endByGateway(state, sessionId, code);
        const reason = code === 'CONNECTION_LIMIT_REACHED' ? 'limit' : 'failed';
        return () => storeEnded(this.deps, link, sessionId, reason, { code, params });
      }
      case 'ended': {
        this.endByGateway(state, report.sessionId, 'SESSION_CLOSED');
        const reason = report.reason === 'ended' ? 'remote' : report.reason;
        return () => storeEnded(this.deps, link, report.sessionId, reason);
      }
      case 'detached':
        for (const viewer of this.viewersOf(state, report.sessionId))
          if (viewer.viewerId === report.viewerId) viewer.end(endOf(state, viewer, report.code));
        return undefined;
      case 'log':
        return void state.uploads.begin(report);
      case 'sealed':
        return state.uploads.storeSeal(report);
      case 'log-end':
        return state.uploads.storeEnd(report);
      case 'files':
      case 'files-failed':
        return void state.files.onAnswer(report);
    }
  }

  onFrame(link: GatewayLink, frame: ReceivedFrame): MessageWork {
    const state = this.stateOf(link);
    if (!state) return undefined;
    if (frame.channel >= firstGatewayChannel) return state.uploads.onFrame(frame);
    // A viewer that has just left may still get frames.
    const viewer = state.viewers.get(frame.channel);
    if (viewer) relayToViewer(state, viewer, frame);
    return undefined;
  }

  /** Attaches a viewer that has begun its stream. Throws a `StreamRefusal` if that is not possible. */
  async attach(viewer: Viewer, begin: StreamBegin, destinationId: string, krokerId: string): Promise<void> {
    const state = this.states.get(krokerId);
    if (!state?.link.isOpen) throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-away'));
    const { sessionId, viewerId, userId } = viewer;
    if (this.viewersOf(state, sessionId).length >= sessionLimits.viewers)
      throw new StreamRefusal('CONNECTION_LIMIT_REACHED', translatable('refusal.viewers-full'));
    const channel = state.nextChannel++;
    state.viewers.set(channel, viewer);
    this.channels.set(viewer, { state, channel });
    try {
      await this.open(state, viewer, destinationId, krokerId);
    } catch (error) {
      state.viewers.delete(channel);
      throw error;
    }
    if (!viewer.isOpen || this.states.get(krokerId) !== state) {
      state.viewers.delete(channel);
      throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-disconnected'));
    }
    const { displayName } = viewer.context.principal;
    const { link } = state;
    const { mode, streamSecret } = begin;
    link.send({ type: 'attach', sessionId, viewerId, channel, userId, displayName, mode, streamSecret });
    let queued = 0;
    viewer.connect({
      onData(frame) {
        const { length } = frame.payload;
        queued += length;
        if (queued > maxQueued) viewer.pause();
        link.sendFrame(channel, forwardFrame(frame, channel), () => {
          queued -= length;
          if (queued <= maxQueued) viewer.resume();
        });
      },
      onCredit: (bytes) => link.sendFrame(channel, encodeCredit(channel, bytes)),
    });
  }

  /** Whether the gateway still sends the viewer what its session has shown, and then ends the stream. */
  isEnding(viewer: Viewer): boolean {
    return this.channels.get(viewer)?.state.ending.has(viewer.sessionId) ?? false;
  }

  /** Tells the gateway that a viewer's stream is over. */
  detach(viewer: Viewer): void {
    const at = this.channels.get(viewer);
    // A gateway that has disconnected has no viewers any more.
    if (!at?.state.viewers.delete(at.channel)) return;
    const { link } = at.state;
    link.dropChannel(at.channel);
    link.send({ type: 'detach', sessionId: viewer.sessionId, viewerId: viewer.viewerId });
  }

  /** Ends streams because a session was closed or a user has left it, in any replica. */
  onStreamEnd(end: StreamEnd): void {
    for (const state of this.states.values()) {
      if (end.kind === 'left') {
        for (const viewer of this.viewersOf(state, end.sessionId))
          if (viewer.userId === end.userId) viewer.end('SESSION_CLOSED');
      } else if (state.sessions.has(end.sessionId)) {
        state.link.send({ type: 'close', sessionId: end.sessionId });
        this.endSession(state, end.sessionId, 'SESSION_CLOSED');
      }
    }
  }

  /** Lists files of a session's host. Throws GATEWAY_AWAY if its gateway is not connected to this replica. */
  listFiles(krokerId: string | null, sessionId: string, path: string) {
    const state = krokerId === null ? undefined : this.states.get(krokerId);
    if (krokerId !== null && !state)
      throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-elsewhere'));
    if (!state?.sessions.has(sessionId))
      throw new TranslatableProblem('not-found', translatable('refusal.session-not-connected'));
    return state.files.list(sessionId, path);
  }

  /** Orders the session to be opened, unless the gateway holds it. */
  private async open(
    state: GatewayState,
    viewer: Viewer,
    destinationId: string,
    krokerId: string,
  ): Promise<void> {
    const { sessionId } = viewer;
    if (state.sessions.has(sessionId)) return;
    let opening = state.opening.get(sessionId);
    if (!opening) {
      opening = this.assigning
        .then(() => this.assign(state, viewer, destinationId, krokerId))
        .finally(() => state.opening.delete(sessionId));
      this.assigning = opening.catch(() => undefined);
      state.opening.set(sessionId, opening);
    }
    await opening;
  }

  private async assign(
    state: GatewayState,
    { sessionId, context }: Viewer,
    destinationId: string,
    krokerId: string,
  ): Promise<void> {
    const { database } = this.deps;
    const order = await database.transaction((tx) =>
      assignSession(tx, context, sessionId, krokerId, destinationId),
    );
    if (!order) {
      // It was ordered by a connection that is gone, and the gateway does not hold it; or its end is being stored.
      if (!state.ending.has(sessionId)) await storeEnded(this.deps, state.link, sessionId, 'disconnected');
      throw new StreamRefusal('SESSION_CLOSED', translatable('refusal.kroker-lost-session'));
    }
    if (!state.link.isOpen || this.states.get(krokerId) !== state) {
      await releaseSession(database, sessionId, krokerId);
      throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-disconnected'));
    }
    state.sessions.add(sessionId);
    state.link.send(order);
  }

  /**
   * The report overtakes what was shown last and, encrypted for the viewers, why the session is over. So the gateway ends
   * their streams, and the server only those that are left.
   */
  private endByGateway(state: GatewayState, sessionId: string, code: StreamCode): void {
    state.sessions.delete(sessionId);
    if (state.ending.has(sessionId)) return;
    state.ending.set(sessionId, code);
    this.deps.clock.after(sessionEndMs + endMarginMs, () => {
      state.ending.delete(sessionId);
      this.endSession(state, sessionId, code);
    });
  }

  private endSession(state: GatewayState, sessionId: string, code: StreamCode): void {
    state.sessions.delete(sessionId);
    for (const viewer of this.viewersOf(state, sessionId)) viewer.end(code);
  }

  private forget(state: GatewayState): void {
    if (this.states.get(state.link.krokerId) === state) this.states.delete(state.link.krokerId);
    const viewers = [...state.viewers.values()];
    state.viewers.clear();
    for (const viewer of viewers) viewer.end('GATEWAY_AWAY');
    state.files.close();
  }

  private stateOf(link: GatewayLink): GatewayState | undefined {
    const state = this.states.get(link.krokerId);
    return state?.link === link ? state : undefined;
  }

  private viewersOf({ viewers }: GatewayState, sessionId: string): Viewer[] {
    return [...viewers.values()].filter((viewer) => viewer.sessionId === sessionId);
  }
}

function relayToViewer(state: GatewayState, viewer: Viewer, frame: ReceivedFrame): void {
  if (frame.kind === 'data') {
    if (!viewer.sendData(frame)) viewer.end('CREDIT_EXCEEDED');
  } else if (frame.kind === 'credit') {
    if (!viewer.sendCredit(frame)) viewer.end('CREDIT_EXCEEDED');
  } else if (frame.kind === 'end') viewer.end(endOf(state, viewer, 'SESSION_CLOSED'));
  else viewer.end(endOf(state, viewer, streamCodeName(readReset(frame)) ?? 'PROTOCOL'));
}

/** A gateway that refused to open a session only knows that there is none. */
function endOf({ ending }: GatewayState, { sessionId }: Viewer, code: StreamCode): StreamCode {
  return code === 'SESSION_CLOSED' ? (ending.get(sessionId) ?? code) : code;
}

/** Why an attempt to attach has failed, as a code for the viewer. */
export function refusalCode(error: unknown, log: Log): StreamCode {
  if (error instanceof StreamRefusal) return error.code;
  if (error instanceof Problem) return error.kind === 'conflict' ? 'SESSION_CLOSED' : 'FORBIDDEN';
  log({ level: 'warn', message: 'a stream could not be attached', ...errorFields(error) });
  return 'SERVER_ERROR';
}
