// Takes arrivals in: writes them into the journal, many with one sync, and knows which of them repeat a message.
import { createHash } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { decodeRow, encodeRow } from '../alerthub/intake-journal.ts';
import type { Arrival, Row } from '../alerthub/store-arrivals.ts';
import { type Clock, isoTime } from '../clock.ts';
import type { NextId } from '../id.ts';
import { Batcher, BatcherFull } from '../jobs/batcher.ts';
import { Journal } from '../jobs/journal.ts';
import { errorFacts, type Log } from '../log.ts';
import { JournalSpace, type SpaceLimits } from './journal-space.ts';
import { type Compared, RecentMessages, type Remembered } from './recent-messages.ts';

export interface GateParts {
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** Folder of the journal. */
  folder: string;
  limits: SpaceLimits;
}

/** What a gate begins with. */
export interface GateBeginning {
  /** The place in the journal up to which the store has everything. */
  after: number;
  /** The messages of the last minutes that the store has, in order of arrival. */
  recent: readonly Remembered[];
}

/** What the side that stores asks of a gate, in the same thread or another. */
export interface JournalGate {
  /** Resolves with the place of the last entry that waits for the store. */
  open(beginning: GateBeginning): Promise<number>;
  /** The place of the last entry that is on disk. Whoever was answered can be found up to there. */
  written(): number;
  /** Bytes of all entries that were there when it was opened or were written since. */
  writtenBytes(): number;
  /** Called after each write. */
  onWritten(listener: () => void): void;
  /** Says that the store has everything up to this place; with `all` the file that is written to goes as well. */
  release(upTo: number, all: boolean): Promise<void>;
  /** Keeps an entry that the store refuses beside the journal; gives its file's name. */
  setAside(place: number, bytes: Buffer): Promise<string>;
  /** Keeps files of the journal beside it, whatever becomes of them; gives the names of those that were not kept before. */
  keepDamaged(names: readonly string[]): Promise<string[]>;
  /** Why nothing is taken in; null while something is. */
  reason(): string | null | Promise<string | null>;
  /** The share of the time since the last call, from 0 to 1, for which those who receive were busy beside the caller. */
  load(): number;
  /** Resolves when nothing waits to be written. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

/** Entries and bytes of one write, and what may wait for its write before senders are told to come again. */
const limits = { items: 1000, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };

export class IntakeGate implements JournalGate {
  private readonly parts: GateParts;
  private readonly recent = new RecentMessages();
  private readonly batches: Batcher<Row, string>;
  private readonly space: JournalSpace;
  private journal: Journal | undefined;
  private last = 0;
  private bytes = 0;
  private tell: () => void = () => undefined;
  private failure: string | null = null;
  private isClosing = false;

  constructor(deps: GateParts) {
    this.parts = deps;
    this.space = new JournalSpace(deps.folder, deps.limits, deps);
    this.batches = new Batcher((rows) => this.write(rows), limits);
  }

  async open({ after, recent }: GateBeginning): Promise<number> {
    const { journal, entries } = await Journal.open(this.parts.folder, after, { log: this.parts.log });
    this.journal = journal;
    for (const one of recent) this.recent.add(one);
    this.last = after;
    for (const { place, bytes } of entries) {
      this.wrote(place, bytes.length);
      this.remember(bytes);
    }
    return this.last;
  }

  /** An entry that cannot be read is set aside by the side that stores. */
  private remember(bytes: Buffer): void {
    let compared: Compared;
    try {
      compared = comparedOf(decodeRow(bytes));
    } catch {
      return;
    }
    this.recent.meet(compared);
  }

  /** Resolves with the message's id once it is on disk; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    if (!this.journal || this.isClosing || this.space.reason() !== null) throw tooMuch();
    const row: Row = { ...arrival, ...stampOf(arrival, this.parts) };
    try {
      return await this.batches.add(row, sizeOf(row));
    } catch (error) {
      throw error instanceof BatcherFull ? tooMuch(error) : error;
    }
  }

  writtenBytes(): number {
    return this.bytes;
  }

  written(): number {
    return this.last;
  }

  onWritten(listener: () => void): void {
    this.tell = listener;
  }

  async release(upTo: number, all: boolean): Promise<void> {
    this.space.released(upTo);
    await this.journal?.release(upTo, all);
  }

  setAside(place: number, bytes: Buffer): Promise<string> {
    return this.journal!.setAside(place, bytes);
  }

  keepDamaged(names: readonly string[]): Promise<string[]> {
    return this.journal!.keepDamaged(names);
  }

  reason(): string | null {
    return this.failure ?? this.space.reason();
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

  private wrote(place: number, bytes: number): void {
    this.last = place;
    this.bytes += bytes;
    this.space.wrote(place, bytes);
  }

  private async write(rows: Row[]): Promise<string[]> {
    const entries = rows.map(encodeRow);
    let places: number[];
    try {
      places = await this.journal!.append(entries);
    } catch (error) {
      this.failure = 'the intake journal cannot be written';
      this.parts.log({ level: 'error', message: this.failure, ...errorFacts(error) });
      throw new Problem('unavailable', { retryAfter: 1, cause: error });
    }
    this.failure = null;
    this.wrote(
      places.at(-1)!,
      entries.reduce((sum, { length }) => sum + length, 0),
    );
    this.tell();
    // Only what is on disk is known: a message that was not written is not repeated by another.
    return rows.map((row) => this.recent.meet(comparedOf(row)) ?? row.messageId);
  }
}

/** What an arrival is given when it comes: its id, its time, and what tells whether it repeats another. */
export function stampOf(
  { body, deliveryKey }: Arrival,
  { clock, nextId }: { clock: Clock; nextId: NextId },
): Pick<Row, 'messageId' | 'receivedAt' | 'fingerprint'> {
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
export function comparedOf({ address, fingerprint, deliveryKey, messageId, receivedAt }: Row): Compared {
  return {
    receiveSlotId: address.receiveSlotId,
    place: address.place,
    fingerprint,
    isKeyed: deliveryKey !== undefined,
    messageId,
    at: Date.parse(receivedAt),
  };
}

export const sizeOf = ({ body }: Pick<Row, 'body'>) => body.length + 1024;

export const tooMuch = (cause?: unknown) => new Problem('unavailable', { retryAfter: 1, cause });
