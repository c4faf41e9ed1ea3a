// What the application and the receiver's thread say to one another.
import type { SmtpServerOptions } from '../alerthub/inbound-mail/smtp-server.ts';
import type { SlotUpdate } from '../alerthub/slots/slot-directory.ts';
import type { LogLine } from '../common/log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { JournalStart } from './intake-journal-writer.ts';
import type { JournalLimits } from './journal-capacity.ts';

/** What a thread is started with. */
export interface ThreadSettings {
  /** Folder of the journal. */
  folder: string;
  limits: JournalLimits;
  /** Where the application listens. */
  socketPath: string;
  publicUrl: string;
  trustedProxies: string[];
  /** Messages that a slot takes in a minute; 0 for no limit. */
  slotRate: number;
  /** Bytes of one mail, and of all messages that are being received. */
  maxMailBytes: number;
  maxReceivedBytes: number;
  /** Of every reply. */
  headers: Record<string, string>;
  /** The place of the last entry on disk, the bytes of all, and whether the application was told and has not looked yet. */
  shared: SharedArrayBuffer;
}

/** What the application may ask for; each is answered once it is done. */
export interface ThreadCalls {
  open(start: JournalStart): Promise<number>;
  updateSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): Promise<void>;
  /** Begins to take requests at the public port. */
  listen(at: { host: string; port: number }): Promise<void>;
  /** Begins to take mails; gives the port. */
  listenForMails(options: SmtpServerOptions): Promise<number>;
  release(upTo: number, all: boolean): Promise<void>;
  setAside(sequence: number, bytes: Uint8Array): Promise<string>;
  keepDamaged(names: readonly string[]): Promise<string[]>;
  reason(): Promise<string | null>;
  drained(): Promise<void>;
  /** Takes no new connections; those that are open go on. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export type ThreadCallName = keyof ThreadCalls;

export interface ThreadCall {
  number: number;
  name: ThreadCallName;
  args: unknown[];
}

export type ThreadMessage =
  | { kind: 'answer'; number: number; value?: unknown; error?: unknown }
  | { kind: 'log'; line: LogLine }
  /** Something was written; `shared` says how far. */
  | { kind: 'written' };

/** The numbers in `shared`. */
export function sharedCounters(shared: SharedArrayBuffer) {
  return {
    sequence: new BigInt64Array(shared, 0, 1),
    bytes: new BigInt64Array(shared, 8, 1),
    notified: new Int32Array(shared, 16, 1),
  };
}
export const sharedCountersSize = 24;
