// Standard error as the destination of the log. A pipe that nobody reads fills up; the server must go on nevertheless.
import { writeSync } from 'node:fs';

/** Bytes of lines that wait for the reader; further lines are lost. */
export const maxWaitingBytes = 8 << 20;
const retryIntervalMs = 50;
/** When the process ends: the pause between two attempts, and how many in a row may write nothing. */
const lastPauseMs = 10;
const lastAttempts = 100;

export interface LogOutputOptions {
  /** Writes what fits and returns the number of bytes; throws an error with the code EAGAIN if nothing does. */
  write?: (bytes: Uint8Array) => number;
  /** Runs `work` once after that many milliseconds, without keeping the process alive; returns what cancels it. */
  after?: (milliseconds: number, work: () => void) => () => void;
  /** Called when waiting lines were written after others had been lost, with the number of those. */
  onLost(lines: number): void;
}

/**
 * Writes each line before it returns if the reader takes it, so that no line is lost when the process ends. What it does
 * not take waits, and is written when it reads again, at the latest when the process ends. The descriptor of a pipe must not
 * block, which is the case once the stream of the process exists.
 */
export class LogOutput {
  private readonly writeBytes: (bytes: Uint8Array) => number;
  private readonly after: NonNullable<LogOutputOptions['after']>;
  private readonly onLost: (lines: number) => void;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  /** Lines lost since the waiting ones did not fit any more; none is accepted until these are written. */
  private lost = 0;
  private isClosed = false;
  private cancelRetry: (() => void) | undefined;

  constructor(fd: number, { write, after = afterUnref, onLost }: LogOutputOptions) {
    this.writeBytes = write ?? ((bytes) => writeSync(fd, bytes));
    this.after = after;
    this.onLost = onLost;
  }

  write(line: string): void {
    if (this.isClosed) return;
    const bytes = Buffer.from(line);
    if (this.lost > 0 || this.waitingBytes + bytes.length > maxWaitingBytes) {
      this.lost += 1;
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    // While lines wait, the next attempt writes this one, too.
    if (!this.cancelRetry) this.writeWaiting();
  }

  /** Writes what waits until the reader takes nothing for a second; to be called when the process ends. */
  flush(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let attempts = 0; attempts < lastAttempts && this.waitingBytes > 0; attempts += 1) {
      const before = this.waitingBytes;
      this.writeWaiting();
      if (this.waitingBytes < before) attempts = 0;
      else Atomics.wait(pause, 0, 0, lastPauseMs);
    }
  }

  private writeWaiting(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    try {
      while (this.waitingBytes > 0) {
        const all = this.waiting.length === 1 ? this.waiting[0]! : Buffer.concat(this.waiting);
        this.waiting = [all];
        const written = this.writeBytes(all);
        this.waitingBytes -= written;
        this.waiting = written < all.length ? [all.subarray(written)] : [];
      }
    } catch (error) {
      this.onRefused(error);
      return;
    }
    const { lost } = this;
    this.lost = 0;
    if (lost > 0) this.onLost(lost);
  }

  private onRefused(error: unknown): void {
    // Nobody can read it any more.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
      this.isClosed = true;
      this.waiting = [];
      this.waitingBytes = 0;
      return;
    }
    // Also a file system without space may have some again.
    this.cancelRetry = this.after(retryIntervalMs, () => this.writeWaiting());
  }
}

function afterUnref(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds).unref();
  return () => clearTimeout(timer);
}
