// What the gateway and the thread that records its terminals say to each other.
import type { LogEndReason } from '@yagura/core/greac/stream/gateway-protocol';
import type { TerminalSize } from '../target.ts';
import type { LogEndMessage, SpooledPart } from './log-spool.ts';
import type { RecordingOrder } from './recorder.ts';

export interface RecordingThreadData {
  stateFolder: string;
}

/** Times are in milliseconds since 1970. */
export type TerminalEvent =
  /** Output from the end of the one before up to `end`. */
  | { kind: 'output'; at: number; end: number }
  | { kind: 'resize'; at: number; size: TerminalSize }
  | { kind: 'typed'; at: number; displayName: string };

/** `recording` is the number of a recording. */
export type RecordingRequest =
  | { kind: 'begin'; recording: number; order: RecordingOrder; size: TerminalSize; flushMs: number }
  | { kind: 'events'; recording: number; output: Uint8Array; events: TerminalEvent[] }
  | { kind: 'end'; recording: number; reason: LogEndReason };

export type RecordingReport = { recording: number } & (
  | { kind: 'ready' | 'ended' }
  /** What is new of a part. */
  | { kind: 'part'; part: SpooledPart }
  | { kind: 'log-end'; end: LogEndMessage }
  | { kind: 'failed'; reason: string }
  | { kind: 'behind'; isBehind: boolean }
  /** Bytes of output that were encoded. */
  | { kind: 'encoded'; bytes: number }
);
