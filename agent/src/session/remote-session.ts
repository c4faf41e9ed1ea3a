// One remote session: a connection to a host, its display, its viewers and its recording.
import type { GatewayMessage, GatewayOrder, LogEndReason } from '@yagura/core/greac/stream/gateway-protocol';
import type { GatewayControl, ViewerControl } from '@yagura/core/greac/stream/viewer-protocol';
import { type Log, reasonOf } from '../log.ts';
import { ClipboardRelay } from './clipboard-relay.ts';
import type { Display, DisplayHost } from './display.ts';
import type { FileTransfers } from './files/file-transfers.ts';
import type { ClipboardEvents } from './rdp/clipboard.ts';
import { DesktopDisplay } from './rdp/desktop-display.ts';
import type { SessionLogs, SessionRecorder } from './recording/recorder.ts';
import { TerminalDisplay } from './screen/terminal-display.ts';
import { SessionError, streamCodeOf } from './session-error.ts';
import type { ShownKey } from './ssh/judge-host-key.ts';
import type { Target, TargetEvents, TerminalSize } from './target.ts';
import type { Viewer, ViewerEvents } from './viewer.ts';
import { Viewers } from './viewers.ts';

export type OpenOrder = Extract<GatewayOrder, { type: 'open' }>;

export interface SessionDeps {
  log: Log;
  /** Tells the server; false without a connection. */
  send(message: GatewayMessage): boolean;
  /** Connects to the host; rejects with a `SessionError`. */
  connect(session: ConnectingSession): Promise<{ target: Target; hostKey?: string }>;
  /** Null if nothing is to be recorded. */
  record(
    logs: SessionLogs | null,
    size: TerminalSize,
    events: { onFailed(error: unknown): void; onBehind(isBehind: boolean): void },
  ): SessionRecorder | null;
  files(session: RemoteSession): FileTransfers;
  /** Milliseconds that the first viewer has to decide about a host key. */
  hostKeyMs: number;
  /** The session has ended or failed. */
  over(): void;
}

/** What a connection that is being made can use of its session. */
export interface ConnectingSession {
  readonly size: TerminalSize;
  readonly signal: AbortSignal;
  readonly events: TargetEvents;
  readonly clipboard: ClipboardEvents;
  askHostKey(key: ShownKey): Promise<boolean>;
}

export type SessionState = Extract<GatewayControl, { type: 'state' }>;

export class RemoteSession implements ConnectingSession, DisplayHost {
  readonly order: OpenOrder;
  readonly viewers: Viewers;
  readonly viewerEvents: ViewerEvents;
  readonly files: FileTransfers;
  readonly events: TargetEvents;
  readonly clipboard = new ClipboardRelay(this);
  state: SessionState = { type: 'state', state: 'connecting' };
  target: Target | undefined;
  recorder: SessionRecorder | null = null;
  private readonly deps: SessionDeps;
  private readonly controller = new AbortController();
  private readonly display: Display;
  private readonly paused = { display: false, recorder: false };
  private isTargetPaused = false;
  private isRecording = true;
  private askedViewer: Viewer | undefined;
  private asked: { key: ShownKey; decide: (isAccepted: boolean) => void } | undefined;
  private writable: { promise: Promise<void>; resolve: () => void } | undefined;

  constructor(order: OpenOrder, deps: SessionDeps) {
    this.order = order;
    this.deps = deps;
    this.display =
      order.protocol === 'rdp' ? new DesktopDisplay(this) : new TerminalDisplay(order.parameters, this);
    this.viewers = new Viewers({
      snapshot: this.display.snapshot,
      resize: (size) => this.resize(size),
      changed: () => this.onViewersChanged(),
    });
    this.files = deps.files(this);
    this.events = {
      output: (bytes) => this.output(bytes),
      drained: () => this.onWritable(),
      ended: (reason) => void this.finish({ type: 'state', state: 'ended', code: reason }),
    };
    this.viewerEvents = {
      typed: (viewer, bytes) => this.input(viewer, bytes),
      control: (viewer, message) => this.control(viewer, message),
      file: (viewer, bytes) => this.files.received(viewer, bytes),
      drained: (viewer) => {
        this.viewers.drained(viewer);
        this.files.drained(viewer);
      },
      failed: (viewer, code) => viewer.reset(code),
    };
  }

  get id(): string {
    return this.order.sessionId;
  }

  get size(): TerminalSize {
    return this.display.size;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isOver(): boolean {
    return this.state.state === 'ended' || this.state.state === 'failed';
  }

  /** Never rejects. */
  async start(): Promise<void> {
    try {
      await this.startRecording();
      this.signal.throwIfAborted();
      const { target, hostKey } = await this.deps.connect(this);
      if (this.isOver) return target.close();
      this.target = target;
      // The viewer may have come while the connection was made.
      target.resize(this.size);
      this.updatePaused();
      this.setState({ type: 'state', state: 'connected' });
      this.deps.send({ type: 'opened', sessionId: this.id, ...(hostKey ? { hostKey } : {}) });
    } catch (error) {
      const cause = error instanceof SessionError ? error.cause : error;
      if (cause !== undefined && !this.signal.aborted)
        this.deps.log({ level: 'error', message: 'a session failed', reason: reasonOf(cause) });
      await this.fail(error);
    }
  }

  /** Throws if there are too many viewers. A session that is over only tells its end. */
  addViewer(viewer: Viewer): void {
    const isUnrecorded = this.order.recording !== null && !this.isRecording;
    const recording: GatewayControl[] = isUnrecorded ? [{ type: 'recording', isRecording: false }] : [];
    this.viewers.add(viewer, [this.state, ...recording, ...this.display.greeting]);
    if (this.isOver) viewer.end();
  }

  removeViewer(viewer: Viewer): void {
    this.files.remove(viewer);
    this.viewers.remove(viewer);
    this.display.removed(viewer);
  }

  /** Ends the session by order of the server. */
  close(): Promise<void> {
    return this.finish({ type: 'state', state: 'ended', code: 'ended' }, { isOrdered: true });
  }

  /** Ends the session with the agent, which stops: nobody has ordered it, so the server and the viewers are told. */
  stop(): Promise<void> {
    return this.finish({ type: 'state', state: 'ended', code: 'disconnected' });
  }

  /** Forgets what a session that is over has shown. */
  discard(): void {
    this.viewers.reset('SESSION_CLOSED');
    this.display.dispose();
  }

  /** Asks who controls the session, now or as soon as somebody does. */
  askHostKey(key: ShownKey): Promise<boolean> {
    return new Promise((resolve) => {
      const decide = (isAccepted: boolean) => {
        clearTimeout(timer);
        this.asked = undefined;
        resolve(isAccepted);
      };
      const timer = setTimeout(() => decide(false), this.deps.hostKeyMs);
      this.asked = { key, decide };
      this.askedViewer = undefined;
      this.signal.addEventListener('abort', () => decide(false), { once: true });
      this.onViewersChanged();
    });
  }

  private async startRecording(): Promise<void> {
    const { recording } = this.order;
    if (!recording) return;
    this.recorder = this.deps.record(this.display.logs, this.size, {
      onFailed: (error) => this.onRecordingFailed(error),
      onBehind: (isBehind) => {
        this.paused.recorder = isBehind;
        this.updatePaused();
      },
    });
    const isReady = await this.recorder!.ready().then(
      () => true,
      () => false,
    );
    if (!isReady && recording.strict) throw new SessionError('RECORDING_FAILED');
  }

  private onRecordingFailed(error: unknown): void {
    this.isRecording = false;
    const reason = reasonOf(error);
    this.deps.log({ level: 'error', message: 'a session cannot be recorded', sessionId: this.id, reason });
    if (this.order.recording?.strict) void this.fail(new SessionError('RECORDING_FAILED'));
    else this.viewers.broadcast({ type: 'recording', isRecording: false });
  }

  setBehind(isBehind: boolean): void {
    this.paused.display = isBehind;
    this.updatePaused();
  }

  async fail(error: unknown): Promise<void> {
    const { code, params } = streamCodeOf(error);
    await this.finish({ type: 'state', state: 'failed', code, params });
  }

  typed(viewer: Viewer): void {
    this.recorder?.typed(viewer.identity.displayName);
  }

  /** Replaces the connection to the host; the session fails if there is none. */
  async reconnect(): Promise<void> {
    this.target?.close();
    this.target = undefined;
    try {
      const { target } = await this.deps.connect(this);
      if (this.isOver) return target.close();
      this.target = target;
      this.isTargetPaused = false;
      this.updatePaused();
    } catch (error) {
      await this.fail(error);
    }
  }

  private output(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.display.output(bytes);
    this.updatePaused();
  }

  private async input(viewer: Viewer, bytes: Uint8Array): Promise<void> {
    if (this.state.state !== 'connected' || bytes.length === 0) return;
    if (this.display.input(viewer, bytes)) return;
    if (!this.writable) {
      let resolve = () => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      this.writable = { promise, resolve };
    }
    await this.writable.promise;
  }

  private control(viewer: Viewer, message: ViewerControl): void {
    switch (message.type) {
      case 'resize':
      case 'request-control':
      case 'give-control':
        this.viewers.control(viewer, message);
        return;
      case 'host-key-decision':
        if (viewer.mode === 'control' && message.fingerprint === this.asked?.key.fingerprint)
          this.asked.decide(message.accept);
        return;
      case 'clipboard':
        this.clipboard.received(viewer, message);
        return;
      default:
        this.files.control(viewer, message);
    }
  }

  private resize(size: TerminalSize): void {
    if (this.isOver || !this.display.resize(size)) return;
    this.target?.resize(size);
    this.recorder?.resize(size);
    this.viewers.broadcast({ type: 'resize', ...size });
  }

  private onViewersChanged(): void {
    this.updatePaused();
    const { controller } = this.viewers;
    if (!this.asked || !controller || this.askedViewer === controller) return;
    this.askedViewer = controller;
    controller.sendControl({ type: 'host-key', ...this.asked.key });
  }

  private updatePaused(): void {
    const isPaused =
      this.paused.display || this.paused.recorder || (this.viewers.controller?.isBehind ?? false);
    if (!this.target || isPaused === this.isTargetPaused) return;
    this.isTargetPaused = isPaused;
    this.target.setPaused(isPaused);
  }

  private onWritable(): void {
    this.writable?.resolve();
    this.writable = undefined;
  }

  private setState(state: SessionState): void {
    this.state = state;
    this.viewers.broadcast(state);
  }

  private async finish(state: SessionState, { isOrdered = false } = {}): Promise<void> {
    if (this.isOver) return;
    this.setState(state);
    this.controller.abort(new SessionError('SESSION_CLOSED'));
    this.target?.close();
    this.onWritable();
    this.files.close();
    this.viewers.end();
    const { code = 'ended', params = {} } = state;
    const sessionId = this.id;
    if (state.state === 'failed')
      this.deps.send({ type: 'failed', sessionId, code: code as SessionError['code'], params });
    else if (!isOrdered)
      this.deps.send({ type: 'ended', sessionId, reason: code as 'ended' | 'disconnected' });
    this.deps.over();
    await this.recorder?.end(isOrdered ? 'closed' : endReasonOf(state));
  }
}

function endReasonOf({ state, code }: SessionState): LogEndReason {
  if (state === 'failed') return 'failed';
  return code === 'disconnected' ? 'disconnected' : 'ended';
}
