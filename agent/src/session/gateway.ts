// The Kroker role: executes the server's orders about remote sessions.
import nodeCrypto from 'node:crypto';
import {
  type GatewayOrder,
  gatewayGraceMs,
  type StreamCode,
  sessionEndMs,
} from '@yagura/core/greac/stream/gateway-protocol';
import { nodeRecordCipher } from '@yagura/core/greac/stream/node-record-cipher';
import {
  openStreamSecret,
  StreamCipher,
  streamSecretLifetimeMs,
} from '@yagura/core/greac/stream/stream-cipher';
import type { GatewayLink, GatewayListener } from '../link/gateway-link.ts';
import { type Log, reasonOf } from '../log.ts';
import { fileCodeOf } from './files/file-error.ts';
import { FileTransfers, pagesOf } from './files/file-transfers.ts';
import { HostAccess, type HostAccessDeps } from './host-access.ts';
import type { LogSpool } from './recording/log-spool.ts';
import { LogUploader, type UploadLimits } from './recording/log-uploader.ts';
import { Recorder } from './recording/recorder.ts';
import { RecordingThread } from './recording/recording-thread.ts';
import type { SigningKey } from './recording/signing-key.ts';
import { type OpenOrder, RemoteSession } from './remote-session.ts';
import { SessionError, streamCodeOf } from './session-error.ts';
import { Viewer } from './viewer.ts';

export interface GatewayDeps extends HostAccessDeps {
  stateFolder: string;
  spool: LogSpool;
  signingKey: SigningKey;
  log: Log;
  now(): number;
  link: Pick<GatewayLink, 'send' | 'openChannel' | 'openOwnChannel' | 'isReady' | 'interactiveBytes'>;
  limits?: Partial<GatewayLimits>;
}

export interface GatewayLimits {
  /** Milliseconds that sessions stay open without the server. */
  graceMs: number;
  /** Milliseconds that the first viewer has to decide about a host key. */
  hostKeyMs: number;
  /** Milliseconds after which recorded text is written at the latest. */
  flushMs: number;
  /** Milliseconds that the reason of an end can still be read by viewers. */
  overMs: number;
  upload?: Partial<UploadLimits>;
}

const defaultLimits: GatewayLimits = {
  graceMs: gatewayGraceMs,
  hostKeyMs: 90_000,
  flushMs: 60_000,
  overMs: sessionEndMs,
};
const createCipher = nodeRecordCipher(nodeCrypto);
const maxDisplayName = 64;
/** Bytes of a listing for the server, within its limit on control messages. */
const maxListingBytes = 400 * 1024;

export class Gateway implements GatewayListener {
  private readonly deps: GatewayDeps;
  private readonly limits: GatewayLimits;
  private readonly uploader: LogUploader;
  private readonly recordings: RecordingThread;
  private readonly sessions = new Map<string, RemoteSession>();
  private readonly timers = new Set<NodeJS.Timeout>();
  /** Viewer ids that were used, until their secrets are too old to be used again. */
  private readonly usedViewers = new Map<string, number>();
  private graceTimer: NodeJS.Timeout | undefined;
  /** No more sessions are opened. */
  private isStopping = false;

  constructor(deps: GatewayDeps) {
    this.deps = deps;
    this.limits = { ...defaultLimits, ...deps.limits };
    this.uploader = new LogUploader(deps.spool, deps.link, deps.log, this.limits.upload);
    this.recordings = new RecordingThread({
      ...{ stateFolder: deps.stateFolder, now: deps.now, flushMs: this.limits.flushMs },
      onSpooled: (spooled) => this.uploader.add(spooled),
    });
  }

  /** Takes up what an earlier run has not uploaded. */
  async start(): Promise<void> {
    for (const spooled of await this.deps.spool.load()) this.uploader.add(spooled);
  }

  /** Ends the sessions while the link can still say so; without it, they would seem open for minutes. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.sessions.values()].map((session) => session.stop()));
  }

  async close(): Promise<void> {
    clearTimeout(this.graceTimer);
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
    for (const timer of this.timers) clearTimeout(timer);
    for (const session of this.sessions.values()) session.discard();
    this.sessions.clear();
    await this.recordings.close();
    await this.uploader.close();
  }

  hello() {
    const open = [...this.sessions.values()].filter(({ isOver }) => !isOver);
    return {
      signingKey: this.deps.signingKey.publicKey,
      sessions: open.map(({ id, state }) => ({
        sessionId: id,
        state: state.state === 'connected' ? ('connected' as const) : ('connecting' as const),
      })),
    };
  }

  onReady(serverTime: number): void {
    clearTimeout(this.graceTimer);
    this.uploader.onReady(serverTime);
  }

  onClosed(): void {
    this.uploader.onClosed();
    clearTimeout(this.graceTimer);
    this.graceTimer = setTimeout(() => {
      if (this.sessions.size === 0) return;
      this.deps.log({ level: 'warn', message: 'sessions end without the server', count: this.sessions.size });
      for (const session of this.sessions.values()) void session.close();
    }, this.limits.graceMs);
  }

  onOrder(order: GatewayOrder): void {
    switch (order.type) {
      case 'open':
        this.open(order);
        return;
      case 'attach':
        this.attach(order).catch((error) =>
          this.deps.log({ level: 'error', message: 'a viewer was not attached', reason: reasonOf(error) }),
        );
        return;
      case 'detach': {
        const session = this.sessions.get(order.sessionId);
        session?.viewers.get(order.viewerId)?.leave();
        return;
      }
      case 'close':
        void this.sessions.get(order.sessionId)?.close();
        return;
      case 'stored':
        this.uploader.onStored(order);
        return;
      case 'log-end-stored':
        this.uploader.onEndStored(order);
        return;
      case 'log-refused':
        this.uploader.onRefused(order);
        return;
      case 'list-files':
        void this.listFiles(order);
    }
  }

  private open(order: OpenOrder): void {
    const { sessionId } = order;
    const existing = this.sessions.get(sessionId);
    if (existing) {
      // The server may have missed that it is open; a session that is over does not come back.
      if (existing.isOver) this.refuse(sessionId, new SessionError('SESSION_CLOSED'));
      return;
    }
    if (this.isStopping) {
      this.refuse(sessionId, new SessionError('GATEWAY_AWAY'));
      return;
    }
    const open = [...this.sessions.values()].filter(({ isOver }) => !isOver);
    if (open.length >= this.deps.policy.maxSessions) {
      this.refuse(sessionId, new SessionError('CONNECTION_LIMIT_REACHED'));
      return;
    }
    if (!permitsRecording(this.deps.policy, order)) {
      this.refuse(sessionId, new SessionError('LOG_KEY_NOT_ALLOWED'));
      return;
    }
    const access = new HostAccess(order, this.deps);
    const session = new RemoteSession(order, {
      log: this.deps.log,
      hostKeyMs: this.limits.hostKeyMs,
      send: (message) => this.deps.link.send(message),
      connect: (connecting) => access.connect(connecting),
      files: (connecting) =>
        new FileTransfers({ open: () => access.openFiles(connecting), close: () => access.closeFiles() }),
      record: (logs, size, events) => {
        if (!order.recording) return null;
        const { keyId, publicKey } = order.recording;
        const recording = { sessionId, keyId, publicKey };
        if (!logs) return this.recordings.record(recording, size, events);
        return new Recorder(recording, logs, size, {
          ...this.deps,
          ...events,
          flushMs: this.limits.flushMs,
          onProgress: (part) => this.uploader.add(part),
          onEnd: (end) => this.uploader.add(end),
        });
      },
      over: () => this.forgetLater(sessionId),
    });
    this.sessions.set(sessionId, session);
    const { protocol, host, port } = order;
    this.deps.log({ level: 'info', message: 'a session begins', sessionId, protocol, host, port });
    void session.start();
  }

  private refuse(sessionId: string, { code, params }: SessionError): void {
    this.deps.link.send({ type: 'failed', sessionId, code, params });
  }

  private async attach(order: Extract<GatewayOrder, { type: 'attach' }>): Promise<void> {
    const { sessionId, viewerId, channel: number, displayName, mode: requestedMode } = order;
    const session = this.sessions.get(sessionId);
    let viewer: Viewer | undefined;
    // What arrives before the secret is open; bounded by the credit.
    const early: Uint8Array[] = [];
    let isClosed = false;
    const channel = this.deps.link.openChannel(number, 'interactive', {
      received: (payload) => (viewer ? viewer.received(payload) : void early.push(payload.slice())),
      ready: () => viewer?.ready(),
      closed: () => {
        isClosed = true;
        if (viewer) session?.removeViewer(viewer);
      },
    });
    const refuse = (code: StreamCode) => {
      this.deps.link.send({ type: 'detached', sessionId, viewerId, code });
      channel?.reset(code);
    };
    if (!channel) return refuse('PROTOCOL');
    if (!session) return refuse('SESSION_CLOSED');
    if (this.wasUsed(viewerId)) return refuse('PROTOCOL');
    const { krokerId, privateKey } = this.deps.key;
    const expected = { krokerId, sessionId, viewerId, now: this.deps.now() };
    const secret = await openStreamSecret(order.streamSecret, expected, privateKey);
    if (isClosed) return;
    if (!secret) {
      const message =
        'a viewer was refused: its key is not for this session, or not for this time by the clock';
      this.deps.log({ level: 'warn', message, sessionId });
      return refuse('FORBIDDEN');
    }
    const identity = { viewerId, displayName: cleanName(displayName), requestedMode };
    const cipher = new StreamCipher(secret, 'gateway', createCipher);
    viewer = new Viewer(identity, channel, cipher, session.viewerEvents);
    try {
      session.addViewer(viewer);
    } catch (error) {
      viewer = undefined;
      return refuse(streamCodeOf(error).code);
    }
    for (const payload of early) viewer.received(payload);
  }

  /** A viewer's id is good once: a stream key must never be used for two streams. */
  private wasUsed(viewerId: string): boolean {
    const now = this.deps.now();
    for (const [id, until] of this.usedViewers) if (until < now) this.usedViewers.delete(id);
    const wasUsed = this.usedViewers.has(viewerId);
    this.usedViewers.set(viewerId, now + 4 * streamSecretLifetimeMs);
    return wasUsed;
  }

  private async listFiles({
    requestId,
    sessionId,
    path,
  }: Extract<GatewayOrder, { type: 'list-files' }>): Promise<void> {
    const { link } = this.deps;
    const session = this.sessions.get(sessionId);
    if (!session || session.isOver)
      return void link.send({ type: 'files-failed', requestId, code: 'SESSION_CLOSED' });
    try {
      const { items, isTruncated } = await session.files.list(path);
      const [page = [], ...others] = pagesOf(items, maxListingBytes);
      link.send({ type: 'files', requestId, items: page, isTruncated: isTruncated || others.length > 0 });
    } catch (error) {
      link.send({ type: 'files-failed', requestId, code: fileCodeOf(error) });
    }
  }

  private forgetLater(sessionId: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.sessions.get(sessionId)?.discard();
      this.sessions.delete(sessionId);
    }, this.limits.overMs);
    this.timers.add(timer);
  }
}

/** A site that names log keys is recorded to one of them: another would let somebody else read its logs. */
function permitsRecording({ logKeys }: HostAccessDeps['policy'], { recording }: OpenOrder): boolean {
  return logKeys.length === 0 || (recording !== null && logKeys.includes(recording.publicKey));
}

/** Names are shown in terminals as well. */
function cleanName(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').slice(0, maxDisplayName);
}
