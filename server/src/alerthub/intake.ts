// Brings arrivals into the store: what the journal holds in its order, and where there is no journal each as it comes.
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import type { NextId } from '../id.ts';
import { Batcher, BatcherFull, Refused } from '../jobs/batcher.ts';
import type { JournalEntry } from '../jobs/journal.ts';
import { JournalReader } from '../jobs/journal-reader.ts';
import { isRowFault } from '../jobs/row-guard.ts';
import { errorFacts, type Log } from '../log.ts';
import {
  comparedOf,
  IntakeGate,
  type JournalGate,
  sizeOf,
  stampOf,
  tooMuch,
} from '../receiver/intake-gate.ts';
import type { SpaceLimits } from '../receiver/journal-space.ts';
import { RecentMessages } from '../receiver/recent-messages.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { decodeRow, passMark, readMark } from './intake-journal.ts';
import { pairArrivals, recentMessages } from './past-arrivals.ts';
import {
  type Arrival,
  arrivalChanges,
  type Row,
  type StoredMessage,
  storeArrivals,
} from './store-arrivals.ts';

/** Of one write into the store. */
const batch = { items: 500, bytes: 16 << 20 };
/** What may wait for the store where there is no journal; beyond, receives are refused with 503. */
const waiting = { waitingItems: 20_000, waitingBytes: 256 << 20 };
/** Milliseconds until what the store did not take is offered to it again. */
const retryAfter = 1000;
/** Milliseconds after which what the store has is at the latest gone from the journal. */
const cleanupIntervalMs = 60_000;
/**
 * While those who receive are busy for this share of the time, storing rests after each write for so many times what it
 * took, at most so many milliseconds: in a storm answers come first, and what waits is stored once it is over.
 */
const storm = { load: 0.5, factor: 4, longest: 2000 };
/** Messages on their way into the store that a caller waits for; a longer way is not waited for. */
const nearEnough = 2000;

/** How much the journal may hold unless the configuration says otherwise. */
export const usualJournalLimits = { waiting: 4096 * 2 ** 20, reserve: 256 << 20 };

/** Told after each write: what was stored in order of the line, or undefined when nobody knows what was. */
export type OnStored = (messages: readonly StoredMessage[] | undefined) => void;

export interface IntakeDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Called after each write, to wake what evaluates. */
  stored: OnStored;
  /** Stores rows that the journal has together with what is decided about them; false when they are to be stored first. */
  storeAndDecide?: (rows: readonly Row[]) => Promise<boolean>;
  /** Folder of the journal; without one every answer waits for the store. */
  journalFolder: string | undefined;
  journalLimits?: SpaceLimits | undefined;
  /** What writes the journal, where that is done elsewhere; one of its own when absent. */
  gate?: JournalGate | undefined;
}

export class Intake {
  private readonly deps: IntakeDeps;
  private readonly ownGate: IntakeGate | undefined;
  private readonly gate: JournalGate | undefined;
  private readonly reader: JournalReader | undefined;
  /** For what passes no journal. */
  private readonly direct: Batcher<Row, string>;
  /** The place up to which the store has everything. */
  private taken = 0;
  private takenBytes = 0;
  private running: Promise<void> | undefined;
  /** The same as those who receive go by, so that what they answer is what is stored. */
  private readonly recent = new RecentMessages();
  /** What was found out about entries that the store may have to be offered again. */
  private readonly originals = new Map<number, string | undefined>();
  private waiters: { place: number; resolve: () => void }[] = [];
  /** Whether the store could not be reached at the last try. */
  private isAway = false;
  private isClosing = false;
  /** Nothing is read or stored any more; what is written now is for the next start. */
  private isClosed = false;
  private stopPause: () => void = () => undefined;
  private stopTidying: () => void = () => undefined;

  constructor(deps: IntakeDeps) {
    this.deps = deps;
    const { journalFolder: folder, journalLimits = usualJournalLimits } = deps;
    this.direct = new Batcher((rows) => this.storeDirectly(rows), { ...batch, ...waiting });
    if (folder === undefined) return;
    this.ownGate = deps.gate ? undefined : new IntakeGate({ ...deps, folder, limits: journalLimits });
    this.gate = deps.gate ?? this.ownGate;
    this.reader = new JournalReader(folder, 0);
  }

  /** Opens the journal and stores what an earlier process kept in it; comes before the first `receive`. */
  async start(): Promise<void> {
    const { gate, reader } = this;
    if (!gate || !reader) return;
    const { database, clock, log } = this.deps;
    this.taken = await readMark(database);
    await reader.moveTo(this.taken);
    gate.onWritten(() => this.wake());
    const recent = await recentMessages(database, clock.now());
    for (const one of recent) this.recent.add(one);
    const last = await gate.open({ after: this.taken, recent });
    this.stopTidying = clock.every(cleanupIntervalMs, () => void this.tidy(true));
    if (last <= this.taken) return;
    log({ level: 'info', message: `${last - this.taken} messages are taken over from the intake journal` });
    this.wake();
    await this.running;
  }

  /** Resolves with the message's id once it is durable; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    if (this.ownGate) return this.ownGate.receive(arrival);
    if (this.gate) throw new Error('messages are received by another thread');
    const row: Row = { ...arrival, ...stampOf(arrival, this.deps) };
    try {
      return await this.direct.add(row, sizeOf(row));
    } catch (error) {
      throw error instanceof BatcherFull ? tooMuch(error) : error;
    }
  }

  /**
   * Resolves once all that was answered for is in the store; at once while the store cannot be reached, and when so much
   * is on its way that it takes a while.
   */
  async loaded(): Promise<void> {
    const place = this.gate?.written() ?? 0;
    if (place <= this.taken || this.isAway || place - this.taken > nearEnough) return;
    await new Promise<void>((resolve) => {
      this.waiters.push({ place, resolve });
      this.wake();
    });
  }

  /** Why no message can be taken in; null when they are. */
  async reason(): Promise<string | null> {
    return this.gate?.reason() ?? null;
  }

  /** Bytes that wait for the store. */
  get waitingBytes(): number {
    return this.direct.size + (this.gate ? this.gate.writtenBytes() - this.takenBytes : 0);
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.gate?.drained();
    while (this.running) await this.running;
    await this.direct.drained();
  }

  /** Stores what waits; what the store does not take stays in the journal for the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.stopPause();
    this.stopTidying();
    await this.drained();
    this.isClosed = true;
    await this.running;
    await this.tidy(true);
    await this.reader?.close();
    await this.gate?.close();
  }

  private wake(): void {
    if (this.isClosed) return;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      // What was written as the last round ended.
      if (!this.isClosing && this.taken < (this.gate?.written() ?? 0)) this.wake();
    });
  }

  /** Brings the journal's entries into the store until none is left. */
  private async run(): Promise<void> {
    const { gate, reader } = this;
    while (gate && reader && this.taken < gate.written()) {
      try {
        const begun = performance.now();
        const upTo = gate.written();
        const { entries, damaged } = await reader.read(upTo, batch);
        if (damaged.length > 0) await this.keep(damaged);
        if (entries.length > 0) await this.load(entries);
        else await this.skip(upTo);
        this.isAway = false;
        if (this.taken === gate.written()) this.takenBytes = gate.writtenBytes();
        this.settle();
        await this.tidy(false);
        if (gate.load() >= storm.load)
          await this.rest(Math.min((performance.now() - begun) * storm.factor, storm.longest));
      } catch (error) {
        this.isAway = true;
        this.settle();
        if (!(await this.pause(error))) return;
        await this.returnToMark().catch(() => undefined);
      }
    }
  }

  /** The store may have taken rows over without saying so: it is asked how far it has come. */
  private async returnToMark(): Promise<void> {
    this.taken = Math.max(this.taken, await readMark(this.deps.database));
    await this.reader!.moveTo(this.taken);
  }

  private async load(entries: readonly JournalEntry[]): Promise<void> {
    const rows: Row[] = [];
    for (const { place, bytes } of entries) {
      try {
        rows.push({ ...decodeRow(bytes), place });
      } catch (error) {
        await this.refuse(place, bytes, undefined, error);
      }
    }
    await this.store(rows, new Map(entries.map(({ place, bytes }) => [place, bytes])));
    this.taken = entries.at(-1)!.place;
    for (const { bytes } of entries) this.takenBytes += bytes.length;
    this.originals.clear();
  }

  /** The id of the message that a row repeats. */
  private originalOf(row: Row): string | undefined {
    const place = row.place!;
    if (!this.originals.has(place)) this.originals.set(place, this.recent.meet(comparedOf(row)));
    return this.originals.get(place);
  }

  /** Stores rows; one that the store cannot take must not hold up the others, which were answered for as well. */
  private async store(rows: readonly Row[], bytes: ReadonlyMap<number, Buffer>): Promise<void> {
    if (rows.length === 0) return;
    try {
      const stored = await this.write(rows);
      if (stored.length > 0) this.tell(stored);
    } catch (error) {
      this.deps.stored(undefined);
      if (!isRowFault(error)) throw error;
      if (rows.length === 1) {
        const { place, messageId } = rows[0]!;
        return this.refuse(place!, bytes.get(place!)!, messageId, error);
      }
      for (const row of rows) await this.store([row], bytes);
    }
  }

  /**
   * Gives what is to be decided yet. One statement, but for the rare batch with a repeat: that is not stored, and its
   * original takes no other.
   */
  private async write(rows: readonly Row[]): Promise<StoredMessage[]> {
    const { database } = this.deps;
    const repeats = rows.filter((row) => this.originalOf(row) !== undefined);
    if (repeats.length === 0) {
      if (await this.deps.storeAndDecide?.(rows)) return [];
      return (await storeArrivals(database, rows)).stored;
    }
    const others = rows.filter((row) => this.originalOf(row) === undefined);
    return database.transaction(async (tx) => {
      await pairArrivals(
        tx,
        repeats.map((row) => ({ row, original: this.originalOf(row)! })),
      );
      const { stored } = others.length > 0 ? await storeArrivals(tx, others) : { stored: [] };
      await passMark(tx, rows.at(-1)!.place!);
      return stored;
    });
  }

  /** Puts a message that was answered for and cannot be stored where people find it. */
  private async refuse(place: number, bytes: Buffer, messageId: string | undefined, error: unknown) {
    const file = await this.gate!.setAside(place, bytes);
    const message = `a message could not be stored; it is kept in the data folder as ${file}`;
    this.deps.log({ level: 'error', message, messageId, ...errorFacts(error) });
    await passMark(this.deps.database, place);
  }

  /** Keeps files in which something is missing for people to look at; comes before any of them can be released. */
  private async keep(damaged: readonly string[]): Promise<void> {
    const kept = await this.gate!.keepDamaged(damaged);
    const message = `the intake journal is damaged: messages may be missing; kept as ${kept.join(', ')}`;
    if (kept.length > 0) this.deps.log({ level: 'error', message });
  }

  /** Leaves out what was answered for and is in none of the journal's files, whole as these were read; they are kept. */
  private async skip(upTo: number): Promise<void> {
    const message = `messages ${this.taken + 1} to ${upTo} of the intake journal cannot be read`;
    this.deps.log({ level: 'error', message });
    await passMark(this.deps.database, upTo);
    this.taken = upTo;
    await this.reader!.moveTo(upTo);
  }

  private async storeDirectly(rows: Row[]): Promise<(string | Refused)[]> {
    try {
      const { stored, ids } = await storeArrivals(this.deps.database, rows);
      this.tell(stored);
      return ids;
    } catch (error) {
      // A lost answer does not mean that nothing was stored.
      this.deps.stored(undefined);
      if (!isRowFault(error) || rows.length === 1) throw error;
      const results: (string | Refused)[] = [];
      for (const row of rows) results.push(...(await this.storeAlone(row)));
      return results;
    }
  }

  private async storeAlone(row: Row): Promise<(string | Refused)[]> {
    try {
      return await this.storeDirectly([row]);
    } catch (error) {
      return [new Refused(error)];
    }
  }

  private tell(stored: readonly StoredMessage[]): void {
    this.deps.stored(stored);
    this.deps.changes.publish(arrivalChanges(stored));
  }

  /** Lets go who waited for what is stored now, or all while the store is away. */
  private settle(): void {
    const { waiters } = this;
    if (waiters.length === 0) return;
    this.waiters = this.isAway ? [] : waiters.filter(({ place }) => place > this.taken);
    for (const { place, resolve } of waiters) if (this.isAway || place <= this.taken) resolve();
  }

  private async tidy(all: boolean): Promise<void> {
    try {
      await this.gate?.release(this.taken, all);
    } catch (error) {
      this.deps.log({
        level: 'warn',
        message: 'the intake journal could not be tidied',
        ...errorFacts(error),
      });
    }
  }

  private async pause(error: unknown): Promise<boolean> {
    if (this.isClosing) return false;
    const message = 'messages wait in the intake journal, the store will be asked again';
    const level = error instanceof StoreUnavailable ? 'warn' : 'error';
    this.deps.log({ level, message, ...errorFacts(error) });
    await this.rest(retryAfter);
    return !this.isClosing;
  }

  private rest(milliseconds: number): Promise<void> {
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
