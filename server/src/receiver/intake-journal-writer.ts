// Writes incoming messages to the journal, many per sync, and detects duplicates.
import { createHash, hash } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import type { Arrival, ArrivalRow } from '../alerthub/arrivals/arrival.ts';
import { decodeRow, encodeRow } from '../alerthub/arrivals/journal-entry.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import { Batcher, BatcherFull } from '../jobs/batcher.ts';
import { type ClaimedJournal, Journal, type JournalIds } from '../journal/journal.ts';
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

/** Initial state of a gate. */
export interface JournalStart {
  /** Journal position up to which the database has everything. */
  after: number;
  /** Recently stored messages, in order of arrival. */
  recent: readonly KnownMessage[];
}

/** Interface of a gate for the storing side, in the same thread or another. */
export interface JournalWriter {
  /** Takes the journal over; call it before `open`. */
  claim(): Promise<JournalIds>;
  /** Resolves with the position of the last entry not yet stored in the database. */
  open(start: JournalStart): Promise<number>;
  /** Position of the last entry on disk; all acknowledged messages are at or before it. */
  lastWritten(): number;
  /** Bytes of all entries found on opening or written since. */
  writtenBytes(): number;
  /** Called after each write; once more after its promise has resolved if entries were written meanwhile. */
  onWritten(listener: () => Promise<void> | undefined): void;
  /** Releases entries up to this position, which the database has; with `all` also the current file. */
  release(upTo: number, all: boolean): Promise<void>;
  /** Stores an entry rejected by the database in a file beside the journal; returns the file name. */
  setAside(sequence: number, bytes: Buffer): Promise<string>;
  /**
   * Keeps copies of journal files beside it, even if the originals are removed; returns the names of those
   * not kept before.
   */
  keepDamaged(names: readonly string[]): Promise<string[]>;
  /** Why messages are rejected at present; null if they are accepted. */
  unavailableReason(): string | null | Promise<string | null>;
  /**
   * Fraction (0 to 1) of the last tenth of a second, or of the time since the last call if that is longer, during which
   * the receivers were busy in another thread.
   */
  load(): number;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum entries and bytes of one write, and of the queue before senders get a 503. */
const batchLimits = { items: 1000, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };

export class IntakeJournalWriter implements JournalWriter {
  private readonly deps: IntakeJournalWriterDeps;
  private readonly recentMessages = new RecentMessages();
  private readonly batches: Batcher<ArrivalRow, string>;
  private readonly capacity: JournalCapacity;
  private claimed: ClaimedJournal | undefined;
  private journal: Journal | undefined;
  private lastSequence = 0;
  private totalBytes = 0;
  private notifyListener: () => unknown = () => undefined;
  private failure: string | null = null;
  /** Not told of successes: on a disk that is nearly full, small writes succeed between the others. */
  private readonly failures: FailureLog;
  private isClosing = false;

  constructor(deps: IntakeJournalWriterDeps) {
    this.deps = deps;
    this.failures = new FailureLog(deps);
    this.capacity = new JournalCapacity(deps.folder, deps.limits, deps);
    this.batches = new Batcher((rows) => this.writeBatch(rows), batchLimits);
  }

  async claim(): Promise<JournalIds> {
    this.claimed = await Journal.claim(this.deps.folder, { log: this.deps.log });
    return this.claimed.ids;
  }

  async open({ after, recent }: JournalStart): Promise<number> {
    const { journal, entries } = await this.claimed!.open(after);
    this.journal = journal;
    for (const one of recent) this.recentMessages.add(one);
    this.lastSequence = after;
    for (const { sequence, bytes } of entries) {
      this.recordWrite(sequence, bytes.length);
      this.remember(bytes);
    }
    return this.lastSequence;
  }

  /** Entries that cannot be decoded are set aside by the storing side. */
  private remember(bytes: Buffer): void {
    let compared: MessageIdentity;
    try {
      compared = messageIdentityOf(decodeRow(bytes));
    } catch {
      return;
    }
    this.recentMessages.findDuplicateOrAdd(compared);
  }

  /** Resolves with the message id once it is on disk; for a duplicate, with the id of the original. */
  async receive(arrival: Arrival): Promise<string> {
    if (!this.journal || this.isClosing || this.capacity.unavailableReason() !== null)
      throw overloadedProblem();
    const row = createArrivalRow(arrival, this.deps);
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

  onWritten(listener: () => unknown): void {
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

  /** In the same thread there is no concurrent load. */
  load(): number {
    return 0;
  }

  async drained(): Promise<void> {
    await this.batches.drained();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.batches.drained();
    await (this.journal ?? this.claimed)?.close();
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
      this.failures.failed({ level: 'error', message: this.failure }, error);
      throw new Problem('unavailable', { retryAfter: 1, cause: error });
    }
    this.failure = null;
    this.recordWrite(
      sequences.at(-1)!,
      entries.reduce((sum, { length }) => sum + length, 0),
    );
    this.notifyListener();
    // Remember messages only once they are on disk: one whose write failed must not count as an original.
    return rows.map((row) => this.recentMessages.findDuplicateOrAdd(messageIdentityOf(row)) ?? row.messageId);
  }
}

/** Adds id, timestamp and fingerprint. The properties are listed because copying an object takes several times as long. */
export function createArrivalRow(
  { address, requestUrl, headers, body, deliveryKey, mail }: Arrival,
  { clock, nextId }: { clock: Clock; nextId: NextId },
): ArrivalRow {
  return {
    address,
    requestUrl,
    headers,
    body,
    deliveryKey,
    mail,
    messageId: nextId(),
    receivedAt: isoTime(clock.now()),
    fingerprint: fingerprintOf(body, deliveryKey),
  };
}

/** Bytes up to which a body is copied behind its prefix: hashing in one call is then faster than in three. */
const maxCopiedBodyBytes = 16 << 10;
const bodyPrefix = Buffer.from('body ');

function fingerprintOf(body: Buffer, deliveryKey: string | undefined): Buffer {
  let digest: string;
  // As text, because the buffer that these functions return costs more than the hash of a short message.
  if (deliveryKey !== undefined) digest = hash('sha256', `key ${deliveryKey}`, 'binary');
  else if (body.length <= maxCopiedBodyBytes)
    digest = hash('sha256', Buffer.concat([bodyPrefix, body]), 'binary');
  else digest = createHash('sha256').update(bodyPrefix).update(body).digest('binary');
  return Buffer.from(digest.slice(0, 16), 'binary');
}

/** The properties of a message used to detect duplicates. */
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
