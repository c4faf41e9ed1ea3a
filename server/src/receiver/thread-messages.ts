// Message types between the application and the receiver thread.

import type { Refusal } from '../alerthub/slots/refusal.ts';
import type { SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import type { LogLine } from '../common/log.ts';
import type { ConnectionLimits } from '../http/connection-limits.ts';
import type { JournalIds } from '../journal/journal.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { JournalStart } from './intake-journal-writer.ts';
import type { JournalLimits } from './journal-capacity.ts';
import type { SmtpServerOptions } from './smtp-server.ts';

/** Start parameters of the thread. */
export interface ThreadSettings {
  /** Folder of the journal. */
  folder: string;
  limits: JournalLimits;
  /** Socket path on which the application listens. */
  socketPath: string;
  publicUrl: string;
  trustedProxies: string[];
  /** Limits on connections to the public port. */
  connectionLimits: ConnectionLimits;
  /** Maximum messages per slot and minute; 0 for no limit. */
  slotRate: number;
  /** Maximum bytes of one mail, and of all messages being received. */
  maxMailBytes: number;
  maxReceivedBytes: number;
  /** Added to every response. */
  headers: Record<string, string>;
  /**
   * Position of the last entry on disk, total bytes, and whether a notification is pending that the
   * application has not read.
   */
  shared: SharedArrayBuffer;
}

/** Calls from the application; each is answered when done. */
export interface WorkerRequests {
  claim(): Promise<JournalIds>;
  open(start: JournalStart): Promise<number>;
  updateSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): Promise<void>;
  /** Starts listening on the public port. */
  listen(at: { host: string; port: number }): Promise<void>;
  /** Starts accepting mails; returns the port. */
  listenForMails(options: SmtpServerOptions): Promise<number>;
  release(upTo: number, all: boolean): Promise<void>;
  setAside(sequence: number, bytes: Uint8Array): Promise<string>;
  keepDamaged(names: readonly string[]): Promise<string[]>;
  reason(): Promise<string | null>;
  drained(): Promise<void>;
  /** Accepts no new connections; open ones continue. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export type WorkerRequestName = keyof WorkerRequests;

export interface WorkerRequest {
  number: number;
  name: WorkerRequestName;
  args: unknown[];
}

export type ThreadMessage =
  | { kind: 'answer'; number: number; value?: unknown; error?: unknown }
  | { kind: 'log'; line: LogLine }
  | { kind: 'refused'; refusals: Refusal[] }
  /** Something was written; `shared` contains the position. */
  | { kind: 'written' };

/** Typed views of the numbers in `shared`. */
export function sharedCounters(shared: SharedArrayBuffer) {
  return {
    sequence: new BigInt64Array(shared, 0, 1),
    bytes: new BigInt64Array(shared, 8, 1),
    notified: new Int32Array(shared, 16, 1),
  };
}
export const sharedCountersSize = 24;
