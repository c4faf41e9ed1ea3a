// The recording of one terminal in the thread: gathers what happens, and tells what the thread has made of it.
import type { LogEndReason } from '@yagura/core/greac/stream/gateway-protocol';
import type { TerminalSize } from '../target.ts';
import type { PartMeta, Spooled, SpooledPart } from './log-spool.ts';
import type { RecorderDeps, SessionRecorder } from './recorder.ts';
import type { RecordingReport, RecordingRequest, TerminalEvent } from './recording-messages.ts';

export type RecordingEvents = Pick<RecorderDeps, 'onFailed' | 'onBehind'>;

interface TerminalRecordingDeps extends RecordingEvents {
  now(): number;
  post(request: RecordingRequest, transfer?: ArrayBuffer[]): void;
  onSpooled(spooled: Spooled): void;
  /** Shared by all recordings of the thread. */
  backlog: RecordingBacklog;
}

/** What waits for the thread. */
export interface RecordingBacklog {
  bytes: number;
}

/** Output is sent when there is this much of it, else after `gatherMs`. */
const batchBytes = 64 * 1024;
const gatherMs = 20;
/** A host is paused when more than this waits for the thread, of all recordings and of its own. */
const maxBacklog = 32 * 1024 * 1024;
const maxWaiting = 4 * 1024 * 1024;

export class TerminalRecording implements SessionRecorder {
  private readonly number: number;
  private readonly deps: TerminalRecordingDeps;
  private batch: Uint8Array<ArrayBuffer> | undefined;
  private events: TerminalEvent[] = [];
  private used = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Bytes that the thread has not encoded yet. */
  private waiting = 0;
  private isThreadBehind = false;
  private isEncryptionBehind = false;
  private isBehind = false;
  private isLost = false;
  private hasFailed = false;
  private readonly parts = new Map<string, SpooledPart>();
  private readonly begun = settleable();
  private readonly ended = settleable();

  constructor(number: number, deps: TerminalRecordingDeps) {
    this.number = number;
    this.deps = deps;
  }

  ready(): Promise<void> {
    return this.begun.promise;
  }

  output(bytes: Uint8Array): void {
    if (this.isLost || bytes.length === 0) return;
    if (this.batch && this.used + bytes.length > this.batch.length) this.flush();
    this.batch ??= new Uint8Array(Buffer.allocUnsafeSlow(Math.max(batchBytes, bytes.length)).buffer);
    this.batch.set(bytes, this.used);
    this.used += bytes.length;
    this.addWaiting(bytes.length);
    const at = this.deps.now();
    const last = this.events.at(-1);
    if (last?.kind === 'output' && last.at === at) last.end = this.used;
    else this.add({ kind: 'output', at, end: this.used });
    this.updateBehind();
  }

  resize(size: TerminalSize): void {
    this.add({ kind: 'resize', at: this.deps.now(), size });
  }

  typed(displayName: string): void {
    this.add({ kind: 'typed', at: this.deps.now(), displayName });
  }

  /** Terminals have no key frames. */
  keyFrame(): void {}

  /** Terminals have no clipboard. */
  clipboard(): void {}

  async end(reason: LogEndReason): Promise<void> {
    this.flush();
    if (!this.isLost) this.deps.post({ kind: 'end', recording: this.number, reason });
    await this.ended.promise;
  }

  take(report: RecordingReport): void {
    switch (report.kind) {
      case 'ready':
        this.begun.resolve();
        return;
      case 'ended':
        this.ended.resolve();
        return;
      case 'part':
        this.takePart(report.part);
        return;
      case 'log-end':
        this.deps.onSpooled({ end: report.end });
        return;
      case 'failed':
        this.fail(report.reason);
        return;
      case 'behind':
        this.isEncryptionBehind = report.isBehind;
        this.updateBehind();
        return;
      case 'encoded':
        this.addWaiting(-report.bytes);
        this.updateBehind();
    }
  }

  /** The thread has ended. What it has not reported is uploaded when the agent starts again, without an end. */
  lose(reason: string): void {
    this.isLost = true;
    clearTimeout(this.timer);
    this.events = [];
    this.batch = undefined;
    this.addWaiting(-this.waiting);
    this.isEncryptionBehind = false;
    this.updateBehind();
    this.fail(reason);
    this.ended.resolve();
  }

  private fail(reason: string): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    const error = new Error(reason);
    this.begun.reject(error);
    this.deps.onFailed(error);
  }

  private add(event: TerminalEvent): void {
    if (this.isLost) return;
    this.events.push(event);
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { batch, events, used } = this;
    this.batch = undefined;
    this.events = [];
    this.used = 0;
    if (events.length === 0) return;
    const output = batch?.subarray(0, used) ?? new Uint8Array();
    this.deps.post({ kind: 'events', recording: this.number, output, events }, batch ? [batch.buffer] : []);
  }

  /** The uploader goes on with the same object. */
  private takePart({ meta, chunks, sealed, isClosed }: SpooledPart): void {
    const key = keyOf(meta);
    const part = this.parts.get(key) ?? { meta, chunks: [], isClosed };
    part.chunks.push(...chunks);
    part.isClosed = isClosed;
    if (sealed) part.sealed = sealed;
    if (isClosed) this.parts.delete(key);
    else this.parts.set(key, part);
    this.deps.onSpooled(part);
  }

  private addWaiting(bytes: number): void {
    this.waiting += bytes;
    this.deps.backlog.bytes += bytes;
  }

  private updateBehind(): void {
    const share = this.isThreadBehind ? 0.5 : 1;
    this.isThreadBehind = this.waiting > share * maxWaiting && this.deps.backlog.bytes > share * maxBacklog;
    const isBehind = this.isThreadBehind || this.isEncryptionBehind;
    if (isBehind === this.isBehind) return;
    this.isBehind = isBehind;
    this.deps.onBehind(isBehind);
  }
}

function keyOf({ kind, part }: PartMeta): string {
  return `${kind} ${part}`;
}

function settleable() {
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
