// A viewer's stream to a session: attaches, connects, and attaches again after the connection was lost.
import { Problem } from '../../http/problem.ts';
import { keyThumbprint } from '../../kroker/kroker-jwe.ts';
import type { PublicKey } from '../../kroker/public-key.ts';
import type { Timers } from '../../live/timers.ts';
import { ticketSubprotocolPrefix, viewerSubprotocol } from './frame.ts';
import type { StreamCode } from './gateway-protocol.ts';
import {
  type CipherResult,
  type RecordCipher,
  sealStreamSecret,
  streamSecretLength,
  streamSecretLifetimeMs,
  webRecordCipher,
} from './stream-cipher.ts';
import { type ConnectionHandlers, StreamConnection, type StreamSocket } from './stream-connection.ts';
import type { GatewayControl, ViewerControl, ViewerMode } from './viewer-protocol.ts';

/** What an attach replies that the stream needs. */
export interface Attachment {
  ticket: string;
  viewerId: string;
  krokerId: string;
  publicKey: PublicKey;
}

/** A refused attach has a code as the title of its problem. */
export type FailureCode = StreamCode | 'UNTRUSTED' | 'NO_KROKER';

interface FailedStatus {
  state: 'failed';
  code: FailureCode | null;
  params: Record<string, string>;
  problem?: Problem;
  /** The session has failed, and not only this viewer's part in it. */
  isClosed?: true;
}

export type StreamStatus =
  /** Attaching, or waiting for the gateway's answer. */
  | { state: 'attaching' }
  /** The gateway connects to the destination. */
  | { state: 'connecting' }
  | { state: 'connected' }
  /** The connection was lost; `problem` is why attaching failed. */
  | { state: 'reconnecting'; attempt: number; delayMs: number; code: StreamCode | null; problem?: Problem }
  /** The session is over; `reason` is a close reason. */
  | { state: 'ended'; reason: string }
  | FailedStatus
  /** This side has left. */
  | { state: 'left' };

export interface SessionStreamOptions {
  sessionId: string;
  mode: ViewerMode;
  /** Sends the attach call; throws a `Problem`. */
  attach(): Promise<Attachment>;
  /** Close reason of the session as the server has it; asked where the stream ends without one. */
  closeReason(): Promise<string>;
  openSocket(path: string, subprotocols: string[]): StreamSocket;
  /** The cipher of the platform, if it has a faster one than the Web Crypto API. */
  createCipher?(key: Uint8Array): RecordCipher<CipherResult>;
  /** Whether this is the gateway's key as known here; may ask the user. */
  isTrusted(krokerId: string, thumbprint: string): boolean | Promise<boolean>;
  onStatus(status: StreamStatus): void;
  handlers: Pick<ConnectionHandlers, 'onControl' | 'onTerminal' | 'onFile'>;
  now(): number;
  /** From 0 to 1. */
  random(): number;
  timers: Timers;
}

const firstDelayMs = 500;
const maxDelayMs = 15_000;
/** Milliseconds to wait for the close reason of a session that is over. */
const closeReasonMs = 5_000;
/** After these, attaching again can help. */
const transientCodes = new Set<StreamCode | null>([null, 'GATEWAY_AWAY', 'SERVER_ERROR', 'CREDIT_EXCEEDED']);
const transientProblems = new Set<string>(['unavailable', 'unreachable', 'too-many-requests', 'internal']);

export function streamPath(sessionId: string): string {
  return `/api/apps/greac/sessions/${encodeURIComponent(sessionId)}/stream`;
}

export class SessionStream {
  private readonly options: SessionStreamOptions;
  private connection: StreamConnection | null = null;
  private attempt = 0;
  /** Of the next attempt, while one is scheduled. */
  private timer: unknown;
  private isOver = false;
  private isConnected = false;
  /** How to attach: whoever was given control, or gave it away, comes back like that. */
  private mode: ViewerMode;
  /** In the current stream. */
  private hasControl = false;
  /** The viewer's id in the last stream. */
  private lastViewerId: string | undefined;

  constructor(options: SessionStreamOptions) {
    this.options = options;
    this.mode = options.mode;
  }

  start(): void {
    void this.connect();
  }

  /** Attaches at once instead of after the delay; later delays begin anew. */
  retryNow(): void {
    if (this.timer === undefined) return;
    this.cancelTimer();
    this.attempt = 0;
    void this.connect();
  }

  leave(): void {
    this.finish({ state: 'left' });
  }

  /** Dropped while there is no connection: what is typed blindly must not run later. */
  sendTerminal(bytes: Uint8Array): void {
    if (this.isConnected) void this.connection?.sendTerminal(bytes);
  }

  sendControl(message: ViewerControl): void {
    void this.connection?.sendControl(message);
  }

  /** Resolves when the content is sent, which waits for credit. */
  async sendFile(transfer: number, content: Uint8Array): Promise<void> {
    await this.connection?.sendFile(transfer, content);
  }

  private async connect(): Promise<void> {
    const { options } = this;
    options.onStatus({ state: 'attaching' });
    try {
      const attachment = await options.attach();
      const { krokerId, viewerId, publicKey, ticket } = attachment;
      const thumbprint = await keyThumbprint(publicKey);
      if (!(await options.isTrusted(krokerId, thumbprint)))
        return this.finish({ state: 'failed', code: 'UNTRUSTED', params: { thumbprint } });
      const secret = crypto.getRandomValues(new Uint8Array(streamSecretLength));
      const exp = Math.floor((options.now() + streamSecretLifetimeMs) / 1000);
      const { sessionId } = options;
      const streamSecret = await sealStreamSecret(secret, { krokerId, sessionId, viewerId, exp }, publicKey);
      if (this.isOver) return;
      const socket = options.openSocket(streamPath(sessionId), [
        viewerSubprotocol,
        ticketSubprotocolPrefix + ticket,
      ]);
      const replaces = this.lastViewerId;
      this.lastViewerId = viewerId;
      this.hasControl = false;
      this.connection = new StreamConnection(
        socket,
        { mode: this.mode, streamSecret, ...(replaces ? { replaces } : {}) },
        secret,
        {
          createCipher: options.createCipher ?? webRecordCipher,
          now: options.now,
          timers: options.timers,
        },
        this.handlers(),
      );
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('unreachable', { cause: error });
      const code = /^[A-Z_]+$/.test(problem.title) ? (problem.title as FailureCode) : null;
      if (code === 'SESSION_CLOSED') await this.finishClosed();
      else if (transientProblems.has(problem.kind) && code !== 'CONNECTION_LIMIT_REACHED')
        this.reconnect(code as StreamCode | null, problem);
      else this.finish({ state: 'failed', code, params: {}, problem });
    }
  }

  private handlers(): ConnectionHandlers {
    const { handlers, onStatus } = this.options;
    return {
      ...handlers,
      onControl: (message) => {
        if (message.type === 'state') {
          const { state, code = '', params = {} } = message;
          this.attempt = 0;
          if (state === 'ended') return this.finish({ state, reason: code });
          if (state === 'failed')
            return this.finish({ state, code: code as StreamCode, params, isClosed: true });
          this.isConnected = state === 'connected';
          onStatus({ state });
        } else if (message.type === 'viewers') this.noteControl(message);
        handlers.onControl(message);
      },
      onClose: (code) => {
        this.connection = null;
        this.isConnected = false;
        if (this.isOver) return;
        if (transientCodes.has(code)) this.reconnect(code);
        else if (code === 'SESSION_CLOSED') void this.finishClosed();
        else this.finish({ state: 'failed', code, params: {} });
      },
    };
  }

  private noteControl({ viewers, you }: Extract<GatewayControl, { type: 'viewers' }>): void {
    const hasControl = viewers.some(({ viewerId, mode }) => viewerId === you && mode === 'control');
    if (hasControl === this.hasControl) return;
    this.hasControl = hasControl;
    this.mode = hasControl ? 'control' : 'watch';
  }

  /** Who comes back to a session that was closed meanwhile is only told that it is closed. */
  private async finishClosed(): Promise<void> {
    const { timers, closeReason } = this.options;
    let timer: unknown;
    const late = new Promise<string>((resolve) => {
      timer = timers.set(() => resolve(''), closeReasonMs);
    });
    const reason = await Promise.race([closeReason().catch(() => ''), late]);
    timers.clear(timer);
    this.finish({ state: 'ended', reason });
  }

  private reconnect(code: StreamCode | null, problem?: Problem): void {
    if (this.isOver) return;
    const { random, timers, onStatus } = this.options;
    const backOffMs = Math.min(firstDelayMs * 2 ** this.attempt, maxDelayMs);
    const wantedMs = Math.max(backOffMs, (problem?.retryAfter ?? 0) * 1000);
    // Spread over half of the delay, so that not all viewers come back at once.
    const delayMs = Math.round(wantedMs * (0.75 + random() / 2));
    this.attempt += 1;
    onStatus({
      state: 'reconnecting',
      attempt: this.attempt,
      delayMs,
      code,
      ...(problem ? { problem } : {}),
    });
    this.timer = timers.set(() => {
      this.timer = undefined;
      void this.connect();
    }, delayMs);
  }

  private cancelTimer(): void {
    if (this.timer === undefined) return;
    this.options.timers.clear(this.timer);
    this.timer = undefined;
  }

  private finish(status: StreamStatus): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isConnected = false;
    this.cancelTimer();
    this.connection?.close();
    this.options.onStatus(status);
  }
}
