// Records one session in its logs. A log is a series of parts: a new one begins while there is text that the encryption,
// which works in blocks of 64 KiB, has not written for a while, so that a crash loses little.
import { createHash } from 'node:crypto';
import { logKinds } from '@yagura/core/greac/session-parameters';
import {
  type LogEndReason,
  type LogSeal,
  logEndBytes,
  partDigestsBytes,
} from '@yagura/core/greac/stream/gateway-protocol';
import type { TerminalSize } from '../target.ts';
import type { DesktopLog } from './desktop-log.ts';
import { LogPart, type LogPartDeps } from './log-part.ts';
import type { SpooledEnd } from './log-spool.ts';
import type { TextLog } from './text-log.ts';
import type { VideoLog } from './video-log.ts';

type Kind = LogSeal['kind'];

export interface RecorderDeps extends LogPartDeps {
  /** Milliseconds after which text is written at the latest. */
  flushMs: number;
  /** A log has its signed end. */
  onEnd(end: SpooledEnd): void;
  /** Called once if something could not be recorded. */
  onFailed(error: unknown): void;
  /** Called when encryption falls behind, and when it has caught up. */
  onBehind(isBehind: boolean): void;
}

export interface RecordingOrder {
  sessionId: string;
  keyId: string;
  publicKey: string;
}

/** How a session is written down. A desktop shows no text. */
export interface SessionLogs {
  text: TextLog | null;
  video: Pick<VideoLog, 'onEvent' | 'begin' | 'output' | 'resize' | 'typed' | 'end'> &
    Partial<Pick<DesktopLog, 'clipboard' | 'keyFrame'>>;
}

/** What a session tells its recording. */
export type SessionRecorder = Pick<
  Recorder,
  'ready' | 'output' | 'keyFrame' | 'resize' | 'typed' | 'clipboard' | 'end'
>;

const maxBehind = 4 * 1024 * 1024;
const behindCheckMs = 20;
/** Later parts are not ended by time: the protocol counts 10,000 of them. */
const lastTimedPart = 9000;

export class Recorder {
  private readonly order: RecordingOrder;
  private readonly deps: RecorderDeps;
  private readonly logs: SessionLogs;
  private readonly current = new Map<Kind, LogPart>();
  private readonly counts: Record<Kind, number> = { text: 0, video: 0 };
  /** The ends of all parts in their order. */
  private readonly seals: Record<Kind, Promise<LogSeal | null>[]> = { text: [], video: [] };
  private flushTimer: NodeJS.Timeout | undefined;
  private behindTimer: NodeJS.Timeout | undefined;
  private size: TerminalSize;
  private isStopped = false;
  private hasFailed = false;

  constructor(order: RecordingOrder, logs: SessionLogs, size: TerminalSize, deps: RecorderDeps) {
    this.order = order;
    this.logs = logs;
    this.size = size;
    this.deps = deps;
    // A part has the times of its events from its own beginning on, so it begins before the first of them.
    logs.video.onEvent = (at) => {
      if (!this.isStopped) this.part('video', at);
    };
    // They begin at once: whether there is anywhere to write is known before the session is connected.
    if (logs.text) this.part('text');
    this.part('video');
  }

  /** Resolves when the logs can be written; rejects if they cannot. */
  async ready(): Promise<void> {
    await Promise.all([...this.current.values()].map((part) => part.ready));
  }

  output(bytes: Uint8Array, at = this.deps.now()): void {
    this.write('text', this.logs.text?.add(bytes, at) ?? '', at);
    this.write('video', this.logs.video.output(bytes, at), at);
  }

  /** See `DesktopLog`. */
  keyFrame(opening: readonly Uint8Array[] | null): void {
    const at = this.deps.now();
    this.write('video', this.logs.video.keyFrame?.(opening, at) ?? '', at);
  }

  resize(size: TerminalSize, at = this.deps.now()): void {
    this.size = size;
    this.logs.text?.resize(size.columns);
    this.write('video', this.logs.video.resize(size, at), at);
  }

  typed(displayName: string, at = this.deps.now()): void {
    this.write('video', this.logs.video.typed(displayName, at), at);
  }

  /** Text was copied or pasted; of the text itself, only its length is recorded. */
  clipboard(direction: 'copied' | 'pasted', length: number, displayName: string): void {
    const { video } = this.logs;
    const at = this.deps.now();
    this.write('video', video.clipboard?.(direction, length, displayName, at) ?? '', at);
  }

  /** Ends the logs; resolves when they are in the spool. */
  async end(reason: LogEndReason): Promise<void> {
    if (!this.isStopped) {
      const at = this.deps.now();
      this.write('text', this.logs.text?.end(at) ?? '', at);
      this.write('video', this.logs.video.end(at), at);
      this.stop();
      for (const part of this.current.values()) part.end();
    }
    // What is missing in one log may have been about to come in the other.
    const kinds = this.hasFailed ? [] : logKinds;
    await Promise.all(kinds.map((kind) => this.endLog(kind, reason))).catch(this.deps.onFailed);
  }

  /** Signs the end of a log of which all parts are complete. */
  private async endLog(kind: Kind, reason: LogEndReason): Promise<void> {
    const { deps, order } = this;
    const ended = await Promise.allSettled(this.seals[kind]);
    const seals = ended.flatMap((part) => (part.status === 'fulfilled' && part.value) || []);
    if (seals.length === 0 || seals.length < ended.length) return;
    const digests = seals.map(({ digest }) => digest);
    const end = {
      ...{ sessionId: order.sessionId, kind, parts: seals.length, reason },
      bytes: seals.reduce((sum, { bytes }) => sum + bytes, 0),
      digest: createHash('sha256').update(partDigestsBytes(digests)).digest('base64url'),
      endedAt: new Date(deps.now()).toISOString(),
    };
    const signature = deps.signingKey.sign(logEndBytes(end));
    const spooled: SpooledEnd = { end: { type: 'log-end', ...end, signature } };
    await deps.spool.saveEnd(spooled.end);
    deps.onEnd(spooled);
  }

  private write(kind: Kind, text: Uint8Array | string, at: number): void {
    if (this.isStopped || text.length === 0) return;
    const part = this.part(kind, at);
    part.write(text);
    this.flushTimer ??= setTimeout(() => this.flush(), this.deps.flushMs);
    if (part.unwritten > maxBehind) this.watchBehind();
  }

  private part(kind: Kind, at = this.deps.now()): LogPart {
    const existing = this.current.get(kind);
    if (existing) return existing;
    const { sessionId, keyId, publicKey } = this.order;
    const number = ++this.counts[kind];
    const meta = { sessionId, keyId, kind, part: number, startedAt: new Date(at).toISOString() };
    const part = new LogPart(meta, publicKey, this.deps);
    this.current.set(kind, part);
    this.seals[kind].push(part.done);
    part.done.catch((error) => this.fail(error));
    if (kind === 'video') part.write(this.logs.video.begin(this.size, at));
    return part;
  }

  private flush(): void {
    this.flushTimer = undefined;
    for (const [kind, part] of [...this.current]) {
      if (part.unwritten === 0 || this.counts[kind] >= lastTimedPart) continue;
      this.current.delete(kind);
      part.end();
    }
  }

  private watchBehind(): void {
    if (this.behindTimer) return;
    this.deps.onBehind(true);
    this.behindTimer = setInterval(() => {
      if ([...this.current.values()].some((part) => part.unwritten > maxBehind / 2)) return;
      clearInterval(this.behindTimer);
      this.behindTimer = undefined;
      if (!this.isStopped) this.deps.onBehind(false);
    }, behindCheckMs);
  }

  private fail(error: unknown): void {
    if (this.isStopped) return;
    this.hasFailed = true;
    this.stop();
    // The log that could be written has no more than the other.
    for (const part of this.current.values()) part.cut();
    this.deps.onBehind(false);
    this.deps.onFailed(error);
  }

  private stop(): void {
    this.isStopped = true;
    clearTimeout(this.flushTimer);
    clearInterval(this.behindTimer);
  }
}
