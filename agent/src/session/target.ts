// The far side of a session.
import type { ClipboardRefusal } from '@yagura/core/greac/stream/viewer-protocol';

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface TargetEvents {
  output(bytes: Uint8Array): void;
  /** More can be written. */
  drained(): void;
  ended(reason: 'ended' | 'disconnected'): void;
}

export interface Target {
  /** False if the far side takes its time: wait for `drained`. */
  write(bytes: Uint8Array): boolean;
  /** Lets a desktop paste a text; returns why not. */
  offerText?(text: string): ClipboardRefusal | null;
  resize(size: TerminalSize): void;
  /** Stops and resumes reading. */
  setPaused(isPaused: boolean): void;
  close(): void;
}
