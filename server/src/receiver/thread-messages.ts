// What the application and the receiver's thread say to one another.
import type { MailServerOptions } from '../alerthub/mail/mail-server.ts';
import type { SlotUpdate } from '../alerthub/slot-directory.ts';
import type { LogLine } from '../log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import type { GateBeginning } from './intake-gate.ts';
import type { SpaceLimits } from './journal-space.ts';

/** What a thread is started with. */
export interface ThreadSettings {
  /** Folder of the journal. */
  folder: string;
  limits: SpaceLimits;
  /** Where the application listens. */
  socketPath: string;
  publicUrl: string;
  trustedProxies: string[];
  /** Messages that a slot takes in a minute; 0 for no limit. */
  slotRate: number;
  /** Bytes of one mail, and of all messages that are being received. */
  mailSize: number;
  mostReceived: number;
  /** Of every reply. */
  headers: Record<string, string>;
  /** The place of the last entry on disk, the bytes of all, and whether the application was told and has not looked yet. */
  shared: SharedArrayBuffer;
}

/** What the application may ask for; each is answered once it is done. */
export interface ThreadCalls {
  open(beginning: GateBeginning): Promise<number>;
  updateSlots(update: SlotUpdate): Promise<void>;
  serve(spaces: readonly HostedSpace[]): Promise<void>;
  /** Begins to take requests at the public port. */
  listen(at: { host: string; port: number }): Promise<void>;
  /** Begins to take mails; gives the port. */
  listenForMails(options: MailServerOptions): Promise<number>;
  release(upTo: number, all: boolean): Promise<void>;
  setAside(place: number, bytes: Uint8Array): Promise<string>;
  keepDamaged(names: readonly string[]): Promise<string[]>;
  reason(): Promise<string | null>;
  drained(): Promise<void>;
  /** Takes no new connections; those that are open go on. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export type CallName = keyof ThreadCalls;

export interface Call {
  number: number;
  name: CallName;
  args: unknown[];
}

export type FromThread =
  | { kind: 'answer'; number: number; value?: unknown; error?: unknown }
  | { kind: 'log'; line: LogLine }
  /** Something was written; `shared` says how far. */
  | { kind: 'written' };

/** The numbers in `shared`. */
export function sharedNumbers(shared: SharedArrayBuffer) {
  return {
    place: new BigInt64Array(shared, 0, 1),
    bytes: new BigInt64Array(shared, 8, 1),
    told: new Int32Array(shared, 16, 1),
  };
}
export const sharedSize = 24;
