// Takes arrivals in: writes them into the journal, many with one sync, and knows which of them repeat a message.
import { createHash } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { decodeRow, encodeRow } from '../alerthub/intake/intake-journal.ts';
import type { Arrival, ArrivalRow } from '../alerthub/intake/store-arrivals.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import { Batcher, BatcherFull } from '../jobs/batcher.ts';
import { Journal } from '../journal/journal.ts';
import { JournalCapacity, type JournalLimits } from './journal-capacity.ts';
import { type KnownMessage, type MessageIdentity, RecentMessages } from './recent-messages.ts';

export interface IntakeJournalWriterDeps {
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** Folder of the journal. */
  folder: string;
  limits: JournalLimits;
}

/** What a gate begins with. */
export interface JournalStart {
  /** The place in the journal up to which the store has everything. */
  after: number;
  /** The messages of the last minutes that the store has, in order of arrival. */
  recent: readonly KnownMessage[];
}

/** What the side that stores asks of a gate, in the same thread or another. */
export interface JournalWriter {
  /** Resolves with the place of the last entry that waits for the store. */
  open(start: JournalStart): Promise<number>;
  /** The place of the last entry that is on disk. Whoever was answered can be found up to there. */
  lastWritten(): number;
  /** Bytes of all entries that were there when it was opened or were written since. */
  writtenBytes(): number;
  /** Called after each write. */
  onWritten(listener: () => void): void;
  /** Says that the store has everything up to this place; with `all` the file that is written to goes as well. */
  release(upTo: number, all: boolean): Promise<void>;
  /** Keeps an entry that the store refuses beside the journal; gives its file's name. */
  setAside(sequence: number, bytes: Buffer): Promise<string>;
  /** Keeps files of the journal beside it, whatever becomes of them; gives the names of those that were not kept before. */
  keepDamaged(names: readonly string[]): Promise<string[]>;
  /** Why nothing is taken in; null while something is. */
  unavailableReason(): string | null | Promise<string | null>;
  /** The share of the time since the last call, from 0 to 1, for which those who receive were busy beside the caller. */
  load(): number;
  /** Resolves when nothing waits to be written. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Entries and bytes of one write, and what may wait for its write before senders are told to come again. */
const batchLimits = { items: 1000, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };

export class IntakeJournalWriter implements JournalWriter {
  private readonly deps: IntakeJournalWriterDeps;
  private readonly recentMessages = new RecentMessages();
  private readonly batches: Batcher<ArrivalRow, string>;
  private readonly capacity: JournalCapacity;
  private journal: Journal | undefined;
  private lastSequence = 0;
  private totalBytes = 0;
  private notifyListener: () => void = () => undefined;
  private failure: string | null = null;
  private isClosing = false;

  constructor(deps: IntakeJournalWriterDeps) {
    this.deps = deps;
    this.capacity = new JournalCapacity(deps.folder, deps.limits, deps);
    this.batches = new Batcher((rows) => this.writeBatch(rows), batchLimits);
  }

  async open({ after, recent }: JournalStart): Promise<number> {
    const { journal, entries } = await Journal.open(this.deps.folder, after, { log: this.deps.log });
    this.journal = journal;
    for (const one of recent) this.recentMessages.add(one);
    this.lastSequence = after;
    for (const { sequence, bytes } of entries) {
      this.recordWrite(sequence, bytes.length);
      this.remember(bytes);
    }
    return this.lastSequence;
  }

  /** An entry that cannot be read is set aside by the side that stores. */
  private remember(bytes: Buffer): void {
    let compared: MessageIdentity;
    try {
      compared = messageIdentityOf(decodeRow(bytes));
    } catch {
      return;
    }
    this.recentMessages.findDuplicateOrAdd(compared);
  }

  /** Resolves with the message's id once it is on disk; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    if (!this.journal || this.isClosing || this.capacity.unavailableReason() !== null)
      throw overloadedProblem();
    const row: ArrivalRow = { ...arrival, ...stampArrival(arrival, this.deps) };
    try {
      return await this.batches.add(row, arrivalSize(row));
    } catch (error) {
      throw error instanceof BatcherFull ? overloadedProblem(error) : error;
    }
  }

  writtenBytes(): number {
    return this.totalBytes;
  }

  lastWritten(): number {
    return this.lastSequence;
  }

  onWritten(listener: () => void): void {
    this.notifyListener = listener;
  }

  async release(upTo: number, all: boolean): Promise<void> {
    this.capacity.recordRelease(upTo);
    await this.journal?.release(upTo, all);
  }

  setAside(sequence: number, bytes: Buffer): Promise<string> {
    return this.journal!.setAside(sequence, bytes);
  }

  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.journal!.keepDamaged(names);
  }

  unavailableReason(): string | null {
    return this.failure ?? this.capacity.unavailableReason();
  }

  /** What this thread does it cannot do beside itself. */
  load(): number {
    return 0;
  }

  async drained(): Promise<void> {
    await this.batches.drained();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.batches.drained();
    await this.journal?.close();
  }

  private recordWrite(sequence: number, bytes: number): void {
    this.lastSequence = sequence;
    this.totalBytes += bytes;
    this.capacity.recordWrite(sequence, bytes);
  }

  private async writeBatch(rows: ArrivalRow[]): Promise<string[]> {
    const entries = rows.map(encodeRow);
    let sequences: number[];
    try {
      sequences = await this.journal!.append(entries);
    } catch (error) {
      this.failure = 'the intake journal cannot be written';
      this.deps.log({ level: 'error', message: this.failure, ...errorFields(error) });
      throw new Problem('unavailable', { retryAfter: 1, cause: error });
    }
    this.failure = null;
    this.recordWrite(
      sequences.at(-1)!,
      entries.reduce((sum, { length }) => sum + length, 0),
    );
    this.notifyListener();
    // Only what is on disk is known: a message that was not written is not repeated by another.
    return rows.map((row) => this.recentMessages.findDuplicateOrAdd(messageIdentityOf(row)) ?? row.messageId);
  }
}

/** What an arrival is given when it comes: its id, its time, and what tells whether it repeats another. */
export function stampArrival(
  { body, deliveryKey }: Arrival,
  { clock, nextId }: { clock: Clock; nextId: NextId },
): Pick<ArrivalRow, 'messageId' | 'receivedAt' | 'fingerprint'> {
  const hash = createHash('sha256');
  if (deliveryKey === undefined) hash.update('body ').update(body);
  else hash.update('key ').update(deliveryKey);
  return {
    messageId: nextId(),
    receivedAt: isoTime(clock.now()),
    fingerprint: hash.digest().subarray(0, 16),
  };
}

/** What of an arrival tells whether it repeats another. */
export function messageIdentityOf({
  address,
  fingerprint,
  deliveryKey,
  messageId,
  receivedAt,
}: ArrivalRow): MessageIdentity {
  return {
    receiveSlotId: address.receiveSlotId,
    endpoint: address.endpoint,
    fingerprint,
    isKeyed: deliveryKey !== undefined,
    messageId,
    at: Date.parse(receivedAt),
  };
}

export const arrivalSize = ({ body }: Pick<ArrivalRow, 'body'>) => body.length + 1024;

export const overloadedProblem = (cause?: unknown) => new Problem('unavailable', { retryAfter: 1, cause });
