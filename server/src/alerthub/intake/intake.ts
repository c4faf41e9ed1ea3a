// Stores incoming messages in the database: from the journal in its order, or directly if there is no
// journal.
import { FailureLog } from '../../common/failure-log.ts';
import { InterruptibleSleep } from '../../common/time/interruptible-sleep.ts';
import { StoreUnavailable } from '../../db/store-unavailable.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { isRowFault } from '../../jobs/poison-row-guard.ts';
import { IntakeJournalWriter, type JournalWriter } from '../../receiver/intake-journal-writer.ts';
import type { Arrival, ArrivalRow } from '../arrivals/arrival.ts';
import { DirectIntake } from './direct-intake.ts';
import { defaultJournalLimits, type IntakeDeps } from './intake-deps.ts';
import {
  advanceJournalMark,
  claimJournal,
  JournalEnded,
  readJournalMark,
  readStoredIds,
} from './intake-journal.ts';
import { type DecodedEntry, JournalBatches } from './journal-batches.ts';
import { keepDamaged, setEntryAside } from './journal-faults.ts';
import { JournalRepeats } from './journal-repeats.ts';
import { loadRecentMessages } from './recent-arrivals.ts';
import { arrivalChanges, JournalStepRefused } from './store-arrivals.ts';
import { StoredWaiters } from './stored-waiters.ts';
import { StoringPauses } from './storing-pauses.ts';
import { writeJournalRows } from './write-journal-rows.ts';
import { WritePace } from './write-pace.ts';

/** Milliseconds until a failed write is retried. */
const retryDelayMs = 1000;
const storeFailure = 'messages wait in the intake journal, the store will be asked again';
const releaseFailure = 'the intake journal could not be tidied';
/** Maximum milliseconds until stored entries are removed from the journal. */
const cleanupIntervalMs = 60_000;
/**
 * A caller waits for a backlog of at most this size, at first for `firstMs`, then for `laterMs` unless `stormMessages` have
 * arrived meanwhile. One message is waited for in any size, if it is large only for `firstMs`.
 */
const awaitLimits = { messages: 200, bytes: 4 << 20, firstMs: 10, stormMessages: 5, laterMs: 4990 };

export class Intake {
  private readonly deps: IntakeDeps;
  private readonly failures: FailureLog;
  private readonly ownJournalWriter: IntakeJournalWriter | undefined;
  private readonly journalWriter: JournalWriter | undefined;
  private readonly journalBatches: JournalBatches | undefined;
  /** For messages that bypass the journal. */
  private readonly direct: DirectIntake;
  /** Under which the database stores the position of the journal. */
  private journalId = '';
  /** Entries up to this position were written by an earlier process. */
  private takenOverSequence = 0;
  /** Journal position up to which the database has everything. */
  private storedSequence = 0;
  private storedBytes = 0;
  /** When the last stored message was received, in milliseconds since the Unix epoch. */
  private storedReceivedAt = 0;
  private running: Promise<void> | undefined;
  private releasing: Promise<void> | undefined;
  private readonly repeats = new JournalRepeats();
  private readonly pace = new WritePace();
  /** Whether the mark must be advanced past entries of the current batch that no statement stores. */
  private hasSkipped = false;
  private readonly waiters: StoredWaiters;
  /** Set after a failure: entries that were read may not be stored. */
  private isSeekNeeded = false;
  /** Whether the database was unreachable at the last attempt. */
  private isStoreUnavailable = false;
  private isClosing = false;
  /** Nothing is read or stored any more; entries written now are stored after the next start. */
  private isClosed = false;
  private readonly pauses: StoringPauses;
  private readonly retryDelay = new InterruptibleSleep();
  private readonly cleanup: PeriodicJob;

  constructor(deps: IntakeDeps) {
    this.deps = deps;
    this.failures = new FailureLog(deps);
    const { clock, log, journalFolder: folder, journalLimits = defaultJournalLimits } = deps;
    this.waiters = new StoredWaiters(clock);
    this.pauses = new StoringPauses({
      pace: this.pace,
      receiverLoad: () => this.journalWriter!.load(),
      waitedMs: () => clock.now() - this.storedReceivedAt,
      // PostgreSQL has other connections.
      isAnswering: () => deps.database.kind === 'embedded' && this.pace.isAnswering,
      isUrgent: () => !this.waiters.isEmpty || this.isClosing,
    });
    this.cleanup = new PeriodicJob({
      ...{ clock, log },
      intervalMs: cleanupIntervalMs,
      failureMessage: releaseFailure,
      work: () => this.releaseJournal(true),
    });
    this.direct = new DirectIntake(deps);
    if (folder === undefined) return;
    this.ownJournalWriter = deps.journalWriter
      ? undefined
      : new IntakeJournalWriter({ ...deps, folder, limits: journalLimits });
    this.journalWriter = deps.journalWriter ?? this.ownJournalWriter;
    this.journalBatches = new JournalBatches(folder, {
      lastWritten: () => this.journalWriter!.lastWritten(),
      items: () => this.pace.items,
      journalId: () => this.journalId,
      onReadAhead: (entries) => this.findRepeats(entries),
    });
  }

  /** Opens the journal and stores the entries of an earlier process; must run before the first `receive`. */
  async start(): Promise<void> {
    const { journalWriter, journalBatches } = this;
    if (!journalWriter || !journalBatches) return;
    const { database, clock, log } = this.deps;
    const ids = await journalWriter.claim();
    this.journalId = ids.id;
    this.storedSequence = await claimJournal(database, ids, clock);
    await journalBatches.seek(this.storedSequence);
    journalWriter.onWritten(() => this.wake());
    const { messages: recent, since } = await loadRecentMessages(database, clock.now());
    for (const one of recent) this.repeats.recent.add(one);
    // Other servers may write to PostgreSQL.
    if (database.kind === 'embedded') this.repeats.recent.setLoadedSince(since);
    const last = await journalWriter.open({ after: this.storedSequence, recent });
    this.takenOverSequence = last;
    this.cleanup.start();
    if (last <= this.storedSequence) return;
    const takenOver = last - this.storedSequence;
    log({ level: 'info', message: `${takenOver} messages are taken over from the intake journal` });
    await this.wake();
  }

  /** Resolves with the message id once it is durable; for a duplicate, with the id of the original. */
  async receive(arrival: Arrival): Promise<string> {
    if (this.ownJournalWriter) return this.ownJournalWriter.receive(arrival);
    if (this.journalWriter) throw new Error('messages are received by another thread');
    return this.direct.receive(arrival);
  }

  /**
   * Resolves once all acknowledged messages are in the database, at the latest after some seconds; soon in a message
   * storm, and at once if the backlog is large or the database unreachable.
   */
  async whenStored(): Promise<void> {
    const sequence = this.lastWritten;
    const left = sequence - this.storedSequence;
    if (left <= 0 || this.isStoreUnavailable) return;
    const { messages, bytes, firstMs, stormMessages, laterMs } = awaitLimits;
    const isSmall = left <= messages && this.waitingBytes <= bytes;
    if (left > 1 && !isSmall) return;
    const stored = this.waiters.wait(sequence, firstMs);
    // Nobody waits for a rest.
    this.pauses.interrupt();
    if ((await stored) || !isSmall) return;
    if (this.lastWritten - sequence < stormMessages) await this.waiters.wait(sequence, laterMs);
  }

  /** A call has arrived: for a while, writes are short and let it pass, so that it does not wait long for the embedded engine. */
  noteCall(call: object): void {
    this.pace.noteCall(call);
  }

  noteAnswer(call: object): void {
    this.pace.noteAnswer(call);
  }

  /** Why messages cannot be received at present; null if they can. */
  async unavailableReason(): Promise<string | null> {
    return this.journalWriter?.unavailableReason() ?? null;
  }

  /** Position of the last message in the journal. */
  private get lastWritten(): number {
    return this.journalWriter?.lastWritten() ?? 0;
  }

  /** Acknowledged messages not yet stored in the database. */
  get waitingMessages(): number {
    return Math.max(this.lastWritten - this.storedSequence, 0);
  }

  /** Bytes not yet stored in the database. */
  get waitingBytes(): number {
    const inJournal = (this.journalWriter?.writtenBytes() ?? 0) - this.storedBytes;
    return this.direct.waitingBytes + inJournal;
  }

  /** Resolves when nothing is waiting. */
  async drained(): Promise<void> {
    await this.journalWriter?.drained();
    while (this.running) await this.running;
    await this.direct.drained();
  }

  /** Stores what is waiting; entries the database does not take stay in the journal for the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.pauses.interrupt();
    this.retryDelay.interrupt();
    await this.cleanup.close();
    await this.drained();
    this.isClosed = true;
    await this.running;
    await this.releasing;
    await this.releaseJournal(true);
    await this.journalBatches?.close();
    await this.journalWriter?.close();
  }

  /** Resolves when the backlog is stored, or the server is stopping. */
  private wake(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      // Entries written while the last round was ending.
      if (!this.isClosing && this.storedSequence < this.lastWritten) void this.wake();
    });
    return this.running;
  }

  /** Stores the entries of the journal until none is left. */
  private async run(): Promise<void> {
    const { journalWriter, journalBatches } = this;
    while (journalWriter && journalBatches && this.storedSequence < journalWriter.lastWritten()) {
      try {
        if (this.isSeekNeeded) {
          await this.seekToMark();
          this.recordSuccess();
          continue;
        }
        const begun = performance.now();
        const { upTo, entries, damaged } = await journalBatches.next();
        await keepDamaged(this.deps, journalWriter, damaged);
        const last = entries.at(-1)?.sequence;
        if (last === undefined) await this.skipUnreadable(upTo);
        else {
          this.findRepeats(entries);
          journalBatches.readAhead(last);
          const writeBegun = performance.now();
          await this.storeEntries(entries);
          this.pace.record(entries.length, performance.now() - writeBegun);
        }
        this.recordSuccess();
        this.releaseStored();
        await this.pauses.after(performance.now() - begun);
      } catch (error) {
        this.isStoreUnavailable = true;
        this.isSeekNeeded = true;
        this.resolveWaiters();
        if (error instanceof JournalEnded) return this.end(error);
        if (!(error instanceof JournalStepRefused) && !(await this.waitBeforeRetry(error))) return;
      }
    }
  }

  private recordSuccess(): void {
    this.isStoreUnavailable = false;
    this.failures.succeeded(storeFailure);
    if (this.waitingMessages === 0) this.storedBytes = this.journalWriter?.writtenBytes() ?? 0;
    this.resolveWaiters();
  }

  /** A failed write may have been committed: continue from the mark in the database. */
  private async seekToMark(): Promise<void> {
    const mark = await readJournalMark(this.deps.database, this.journalId);
    this.storedSequence = Math.max(this.storedSequence, mark);
    await this.journalBatches!.seek(this.storedSequence);
    this.isSeekNeeded = false;
  }

  /** Another server stores the messages of this journal: nothing more may be acknowledged or stored. */
  private end({ message }: JournalEnded): void {
    this.isClosed = true;
    this.deps.onJournalEnded?.(message);
  }

  private async storeEntries(entries: readonly DecodedEntry[]): Promise<void> {
    const rows: ArrivalRow[] = [];
    for (const { sequence, bytes, row, error } of entries) {
      if (row) rows.push(row);
      else {
        await setEntryAside(this.deps, this.journalWriter!, { sequence, bytes }, error);
        this.hasSkipped = true;
      }
    }
    const missing = await this.withoutStored(rows);
    await this.storeRows(missing, entries);
    const last = entries.at(-1)!.sequence;
    // Only at the end: earlier entries would not be offered again after a crash.
    if (this.hasSkipped || missing.length < rows.length) await this.advanceMark(last);
    this.hasSkipped = false;
    this.storedSequence = last;
    const lastRow = rows.at(-1);
    if (lastRow) this.storedReceivedAt = Date.parse(lastRow.receivedAt);
    for (const { sequence, bytes } of entries) {
      this.storedBytes += bytes.length;
      this.repeats.forget(sequence);
    }
  }

  /**
   * Finds the repeats among entries in their order, while the engine stores others. Those of an earlier process may be
   * stored already, and would repeat themselves.
   */
  private findRepeats(entries: readonly DecodedEntry[]): void {
    if (this.storedSequence < this.takenOverSequence) return;
    for (const { row } of entries) if (row) this.repeats.originalOf(row);
  }

  /** The messages of the next batch, if it has been read and the next write follows at once. */
  private upcoming(): readonly ArrivalRow[] | undefined {
    const { entries = [] } = this.journalBatches?.upcoming ?? {};
    const isTakenOver = entries.some(({ sequence }) => sequence <= this.takenOverSequence);
    const rows = entries.flatMap(({ row }) => row ?? []);
    const areAllReadable = rows.length > 0 && rows.length === entries.length;
    return areAllReadable && !isTakenOver && this.pauses.msAfter(1) === 0 ? rows : undefined;
  }

  /**
   * Leaves out messages that another server stored from a copy of the data folder, or that this database has
   * although it does not know the journal's position: after it was restored.
   */
  private async withoutStored(rows: ArrivalRow[]): Promise<ArrivalRow[]> {
    if (rows.length === 0 || rows[0]!.journalEntry!.sequence > this.takenOverSequence) return rows;
    const stored = await readStoredIds(
      this.deps.database,
      rows.map(({ messageId }) => messageId),
    );
    return rows.filter(({ messageId }) => !stored.has(messageId));
  }

  /** Stores rows; one that the database rejects must not block the others, which were acknowledged too. */
  private async storeRows(rows: readonly ArrivalRow[], entries: readonly DecodedEntry[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      const stored = await writeJournalRows(this.deps, rows, {
        originalOf: (row) => this.repeats.originalOf(row),
        upcoming: () => this.upcoming(),
      });
      if (stored.length === 0) return;
      this.deps.onStored(stored);
      this.deps.changes.publish(arrivalChanges(stored));
    } catch (error) {
      this.deps.onStored(undefined);
      if (!isRowFault(error)) throw error;
      if (rows.length === 1) {
        const { journalEntry, messageId } = rows[0]!;
        const { sequence } = journalEntry!;
        const [missing] = await this.withoutStored([...rows]);
        const { bytes } = entries.find((entry) => entry.sequence === sequence)!;
        const entry = { sequence, bytes, messageId };
        if (missing) await setEntryAside(this.deps, this.journalWriter!, entry, error);
        this.hasSkipped = true;
        return;
      }
      for (const row of rows) await this.storeRows([row], entries);
    }
  }

  /**
   * Skips acknowledged messages that cannot be read from any file of the journal; the damaged files are kept.
   */
  private async skipUnreadable(upTo: number): Promise<void> {
    const message = `messages ${this.storedSequence + 1} to ${upTo} of the intake journal cannot be read`;
    this.deps.log({ level: 'error', message });
    await this.advanceMark(upTo);
    this.storedSequence = upTo;
    await this.journalBatches!.seek(upTo);
  }

  private advanceMark(sequence: number): Promise<void> {
    return advanceJournalMark(this.deps.database, this.journalId, sequence);
  }

  /** Resolves waiters whose messages are stored, or all of them while the database is unreachable. */
  private resolveWaiters(): void {
    this.waiters.resolveUpTo(this.isStoreUnavailable ? Number.POSITIVE_INFINITY : this.storedSequence);
  }

  /** Removes stored entries from the journal while others are stored. */
  private releaseStored(): void {
    this.releasing ??= this.releaseJournal(false).finally(() => {
      this.releasing = undefined;
    });
  }

  private async releaseJournal(all: boolean): Promise<void> {
    await this.journalWriter
      ?.release(this.storedSequence, all)
      .catch((error: unknown) => this.failures.failed({ level: 'warn', message: releaseFailure }, error));
  }

  private async waitBeforeRetry(error: unknown): Promise<boolean> {
    if (this.isClosing) return false;
    const level = error instanceof StoreUnavailable ? 'warn' : 'error';
    this.failures.failed({ level, message: storeFailure }, error);
    await this.retryDelay.sleep(retryDelayMs, this.deps.clock);
    return !this.isClosing;
  }
}
