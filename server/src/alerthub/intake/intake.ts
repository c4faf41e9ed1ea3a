// Brings arrivals into the store: what the journal holds in its order, and where there is no journal each as it comes.
import type { Clock } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Database } from '../../db/database.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import { Batcher, BatcherFull, RejectedItem } from '../../jobs/batcher.ts';
import { isRowFault } from '../../jobs/poison-row-guard.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { JournalReader } from '../../journal/journal-reader.ts';
import {
  arrivalSize,
  IntakeJournalWriter,
  type JournalWriter,
  messageIdentityOf,
  overloadedProblem,
  stampArrival,
} from '../../receiver/intake-journal-writer.ts';
import type { JournalLimits } from '../../receiver/journal-capacity.ts';
import { RecentMessages } from '../../receiver/recent-messages.ts';
import type { ChangeBus } from '../../resource/change-bus.ts';
import { advanceJournalMark, decodeRow, readJournalMark } from './intake-journal.ts';
import { loadRecentMessages, recordDuplicates } from './recent-arrivals.ts';
import {
  type Arrival,
  type ArrivalRow,
  arrivalChanges,
  type StoredMessage,
  storeArrivals,
} from './store-arrivals.ts';

/** Of one write into the store. */
const batchLimits = { items: 500, bytes: 16 << 20 };
/** What may wait for the store where there is no journal; beyond, receives are refused with 503. */
const waitingLimits = { waitingItems: 20_000, waitingBytes: 256 << 20 };
/** Milliseconds until what the store did not take is offered to it again. */
const retryDelayMs = 1000;
/** Milliseconds after which what the store has is at the latest gone from the journal. */
const cleanupIntervalMs = 60_000;
/**
 * While those who receive are busy for this share of the time, storing rests after each write for so many times what it
 * took, at most so many milliseconds: in a storm answers come first, and what waits is stored once it is over.
 */
const overloadBackoff = { load: 0.5, factor: 4, longest: 2000 };
/** Messages on their way into the store that a caller waits for; a longer way is not waited for. */
const maxAwaitedMessages = 2000;

/** How much the journal may hold unless the configuration says otherwise. */
export const defaultJournalLimits = { waiting: 4096 * 2 ** 20, reserve: 256 << 20 };

/** Told after each write: what was stored in order of the line, or undefined when nobody knows what was. */
export type OnStored = (messages: readonly StoredMessage[] | undefined) => void;

export interface IntakeDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Called after each write, to wake what evaluates. */
  onStored: OnStored;
  /** Stores rows that the journal has together with what is decided about them; false when they are to be stored first. */
  storeAndDecide?: (rows: readonly ArrivalRow[]) => Promise<boolean>;
  /** Folder of the journal; without one every answer waits for the store. */
  journalFolder: string | undefined;
  journalLimits?: JournalLimits | undefined;
  /** What writes the journal, where that is done elsewhere; one of its own when absent. */
  journalWriter?: JournalWriter | undefined;
}

export class Intake {
  private readonly deps: IntakeDeps;
  private readonly ownJournalWriter: IntakeJournalWriter | undefined;
  private readonly journalWriter: JournalWriter | undefined;
  private readonly journalReader: JournalReader | undefined;
  /** For what passes no journal. */
  private readonly directBatcher: Batcher<ArrivalRow, string>;
  /** The place up to which the store has everything. */
  private storedSequence = 0;
  private storedBytes = 0;
  private running: Promise<void> | undefined;
  /** The same as those who receive go by, so that what they answer is what is stored. */
  private readonly recentMessages = new RecentMessages();
  /** What was found out about entries that the store may have to be offered again. */
  private readonly originals = new Map<number, string | undefined>();
  private waiters: { sequence: number; resolve: () => void }[] = [];
  /** Whether the store could not be reached at the last try. */
  private isStoreUnavailable = false;
  private isClosing = false;
  /** Nothing is read or stored any more; what is written now is for the next start. */
  private isClosed = false;
  private stopPause: () => void = () => undefined;
  private stopCleanup: () => void = () => undefined;

  constructor(deps: IntakeDeps) {
    this.deps = deps;
    const { journalFolder: folder, journalLimits = defaultJournalLimits } = deps;
    this.directBatcher = new Batcher((rows) => this.storeDirectly(rows), {
      ...batchLimits,
      ...waitingLimits,
    });
    if (folder === undefined) return;
    this.ownJournalWriter = deps.journalWriter
      ? undefined
      : new IntakeJournalWriter({ ...deps, folder, limits: journalLimits });
    this.journalWriter = deps.journalWriter ?? this.ownJournalWriter;
    this.journalReader = new JournalReader(folder, 0);
  }

  /** Opens the journal and stores what an earlier process kept in it; comes before the first `receive`. */
  async start(): Promise<void> {
    const { journalWriter, journalReader } = this;
    if (!journalWriter || !journalReader) return;
    const { database, clock, log } = this.deps;
    this.storedSequence = await readJournalMark(database);
    await journalReader.seek(this.storedSequence);
    journalWriter.onWritten(() => this.wake());
    const recent = await loadRecentMessages(database, clock.now());
    for (const one of recent) this.recentMessages.add(one);
    const last = await journalWriter.open({ after: this.storedSequence, recent });
    this.stopCleanup = clock.every(cleanupIntervalMs, () => void this.releaseJournal(true));
    if (last <= this.storedSequence) return;
    log({
      level: 'info',
      message: `${last - this.storedSequence} messages are taken over from the intake journal`,
    });
    this.wake();
    await this.running;
  }

  /** Resolves with the message's id once it is durable; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    if (this.ownJournalWriter) return this.ownJournalWriter.receive(arrival);
    if (this.journalWriter) throw new Error('messages are received by another thread');
    const row: ArrivalRow = { ...arrival, ...stampArrival(arrival, this.deps) };
    try {
      return await this.directBatcher.add(row, arrivalSize(row));
    } catch (error) {
      throw error instanceof BatcherFull ? overloadedProblem(error) : error;
    }
  }

  /**
   * Resolves once all that was answered for is in the store; at once while the store cannot be reached, and when so much
   * is on its way that it takes a while.
   */
  async whenStored(): Promise<void> {
    const sequence = this.journalWriter?.lastWritten() ?? 0;
    if (
      sequence <= this.storedSequence ||
      this.isStoreUnavailable ||
      sequence - this.storedSequence > maxAwaitedMessages
    )
      return;
    await new Promise<void>((resolve) => {
      this.waiters.push({ sequence, resolve });
      this.wake();
    });
  }

  /** Why no message can be taken in; null when they are. */
  async unavailableReason(): Promise<string | null> {
    return this.journalWriter?.unavailableReason() ?? null;
  }

  /** Bytes that wait for the store. */
  get waitingBytes(): number {
    return (
      this.directBatcher.size +
      (this.journalWriter ? this.journalWriter.writtenBytes() - this.storedBytes : 0)
    );
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.journalWriter?.drained();
    while (this.running) await this.running;
    await this.directBatcher.drained();
  }

  /** Stores what waits; what the store does not take stays in the journal for the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.stopPause();
    this.stopCleanup();
    await this.drained();
    this.isClosed = true;
    await this.running;
    await this.releaseJournal(true);
    await this.journalReader?.close();
    await this.journalWriter?.close();
  }

  private wake(): void {
    if (this.isClosed) return;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      // What was written as the last round ended.
      if (!this.isClosing && this.storedSequence < (this.journalWriter?.lastWritten() ?? 0)) this.wake();
    });
  }

  /** Brings the journal's entries into the store until none is left. */
  private async run(): Promise<void> {
    const { journalWriter, journalReader } = this;
    while (journalWriter && journalReader && this.storedSequence < journalWriter.lastWritten()) {
      try {
        const begun = performance.now();
        const upTo = journalWriter.lastWritten();
        const { entries, damaged } = await journalReader.read(upTo, batchLimits);
        if (damaged.length > 0) await this.keep(damaged);
        if (entries.length > 0) await this.storeEntries(entries);
        else await this.skipUnreadable(upTo);
        this.isStoreUnavailable = false;
        if (this.storedSequence === journalWriter.lastWritten())
          this.storedBytes = journalWriter.writtenBytes();
        this.resolveWaiters();
        await this.releaseJournal(false);
        if (journalWriter.load() >= overloadBackoff.load)
          await this.sleep(
            Math.min((performance.now() - begun) * overloadBackoff.factor, overloadBackoff.longest),
          );
      } catch (error) {
        this.isStoreUnavailable = true;
        this.resolveWaiters();
        if (!(await this.waitBeforeRetry(error))) return;
        await this.seekToMark().catch(() => undefined);
      }
    }
  }

  /** The store may have taken rows over without saying so: it is asked how far it has come. */
  private async seekToMark(): Promise<void> {
    this.storedSequence = Math.max(this.storedSequence, await readJournalMark(this.deps.database));
    await this.journalReader!.seek(this.storedSequence);
  }

  private async storeEntries(entries: readonly JournalEntry[]): Promise<void> {
    const rows: ArrivalRow[] = [];
    for (const { sequence, bytes } of entries) {
      try {
        rows.push({ ...decodeRow(bytes), journalSequence: sequence });
      } catch (error) {
        await this.setEntryAside(sequence, bytes, undefined, error);
      }
    }
    await this.storeRows(rows, new Map(entries.map(({ sequence, bytes }) => [sequence, bytes])));
    this.storedSequence = entries.at(-1)!.sequence;
    for (const { bytes } of entries) this.storedBytes += bytes.length;
    this.originals.clear();
  }

  /** The id of the message that a row repeats. */
  private originalOf(row: ArrivalRow): string | undefined {
    const sequence = row.journalSequence!;
    if (!this.originals.has(sequence))
      this.originals.set(sequence, this.recentMessages.findDuplicateOrAdd(messageIdentityOf(row)));
    return this.originals.get(sequence);
  }

  /** Stores rows; one that the store cannot take must not hold up the others, which were answered for as well. */
  private async storeRows(rows: readonly ArrivalRow[], bytes: ReadonlyMap<number, Buffer>): Promise<void> {
    if (rows.length === 0) return;
    try {
      const stored = await this.writeRows(rows);
      if (stored.length > 0) this.publishStored(stored);
    } catch (error) {
      this.deps.onStored(undefined);
      if (!isRowFault(error)) throw error;
      if (rows.length === 1) {
        const { journalSequence, messageId } = rows[0]!;
        return this.setEntryAside(journalSequence!, bytes.get(journalSequence!)!, messageId, error);
      }
      for (const row of rows) await this.storeRows([row], bytes);
    }
  }

  /**
   * Gives what is to be decided yet. One statement, but for the rare batch with a repeat: that is not stored, and its
   * original takes no other.
   */
  private async writeRows(rows: readonly ArrivalRow[]): Promise<StoredMessage[]> {
    const { database } = this.deps;
    const repeats = rows.filter((row) => this.originalOf(row) !== undefined);
    if (repeats.length === 0) {
      if (await this.deps.storeAndDecide?.(rows)) return [];
      return (await storeArrivals(database, rows)).stored;
    }
    const others = rows.filter((row) => this.originalOf(row) === undefined);
    return database.transaction(async (tx) => {
      await recordDuplicates(
        tx,
        repeats.map((row) => ({ row, original: this.originalOf(row)! })),
      );
      const { stored } = others.length > 0 ? await storeArrivals(tx, others) : { stored: [] };
      await advanceJournalMark(tx, rows.at(-1)!.journalSequence!);
      return stored;
    });
  }

  /** Puts a message that was answered for and cannot be stored where people find it. */
  private async setEntryAside(
    sequence: number,
    bytes: Buffer,
    messageId: string | undefined,
    error: unknown,
  ) {
    const file = await this.journalWriter!.setAside(sequence, bytes);
    const message = `a message could not be stored; it is kept in the data folder as ${file}`;
    this.deps.log({ level: 'error', message, messageId, ...errorFields(error) });
    await advanceJournalMark(this.deps.database, sequence);
  }

  /** Keeps files in which something is missing for people to look at; comes before any of them can be released. */
  private async keep(damaged: readonly string[]): Promise<void> {
    const kept = await this.journalWriter!.keepDamaged(damaged);
    const message = `the intake journal is damaged: messages may be missing; kept as ${kept.join(', ')}`;
    if (kept.length > 0) this.deps.log({ level: 'error', message });
  }

  /** Leaves out what was answered for and is in none of the journal's files, whole as these were read; they are kept. */
  private async skipUnreadable(upTo: number): Promise<void> {
    const message = `messages ${this.storedSequence + 1} to ${upTo} of the intake journal cannot be read`;
    this.deps.log({ level: 'error', message });
    await advanceJournalMark(this.deps.database, upTo);
    this.storedSequence = upTo;
    await this.journalReader!.seek(upTo);
  }

  private async storeDirectly(rows: ArrivalRow[]): Promise<(string | RejectedItem)[]> {
    try {
      const { stored, ids } = await storeArrivals(this.deps.database, rows);
      this.publishStored(stored);
      return ids;
    } catch (error) {
      // A lost answer does not mean that nothing was stored.
      this.deps.onStored(undefined);
      if (!isRowFault(error) || rows.length === 1) throw error;
      const results: (string | RejectedItem)[] = [];
      for (const row of rows) results.push(...(await this.storeAlone(row)));
      return results;
    }
  }

  private async storeAlone(row: ArrivalRow): Promise<(string | RejectedItem)[]> {
    try {
      return await this.storeDirectly([row]);
    } catch (error) {
      return [new RejectedItem(error)];
    }
  }

  private publishStored(stored: readonly StoredMessage[]): void {
    this.deps.onStored(stored);
    this.deps.changes.publish(arrivalChanges(stored));
  }

  /** Lets go who waited for what is stored now, or all while the store is away. */
  private resolveWaiters(): void {
    const { waiters } = this;
    if (waiters.length === 0) return;
    this.waiters = this.isStoreUnavailable
      ? []
      : waiters.filter(({ sequence }) => sequence > this.storedSequence);
    for (const { sequence, resolve } of waiters)
      if (this.isStoreUnavailable || sequence <= this.storedSequence) resolve();
  }

  private async releaseJournal(all: boolean): Promise<void> {
    try {
      await this.journalWriter?.release(this.storedSequence, all);
    } catch (error) {
      this.deps.log({
        level: 'warn',
        message: 'the intake journal could not be tidied',
        ...errorFields(error),
      });
    }
  }

  private async waitBeforeRetry(error: unknown): Promise<boolean> {
    if (this.isClosing) return false;
    const message = 'messages wait in the intake journal, the store will be asked again';
    const level = error instanceof StoreUnavailable ? 'warn' : 'error';
    this.deps.log({ level, message, ...errorFields(error) });
    await this.sleep(retryDelayMs);
    return !this.isClosing;
  }

  private sleep(milliseconds: number): Promise<void> {
    if (this.isClosing) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const stop = this.deps.clock.after(milliseconds, resolve);
      this.stopPause = () => {
        stop();
        resolve();
      };
    });
  }
}
