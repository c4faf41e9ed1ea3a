// Takes messages in: an answer means that the message is on disk, once.
import { createHash } from 'node:crypto';
import { Problem } from '@yagura/core/http/problem';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { isDataError } from '../db/unavailable.ts';
import type { NextId } from '../id.ts';
import { Batcher, BatcherFull, Refused } from '../jobs/batcher.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { IntakeJournal } from './intake-journal.ts';
import { SlotPlaces } from './slot-places.ts';
import {
  type Arrival,
  arrivalChanges,
  type Row,
  type StoredMessage,
  storeArrivals,
} from './store-arrivals.ts';

/** Receives are refused with 503 rather than held when this much waits for the disk. */
const limits = { items: 500, bytes: 16 << 20, waitingItems: 20_000, waitingBytes: 256 << 20 };
/** What waits in the journal alone; beyond, answers wait for the store, which holds senders back. */
const mostAhead = 5000;
/** Milliseconds until what the store did not take is offered to it again. */
const retryAfter = 1000;

/** Told after each write: what was stored in order of the line, or undefined when nobody knows what was. */
export type OnStored = (messages: readonly StoredMessage[] | undefined) => void;

export interface IntakeParts {
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
}

interface Incoming {
  row: Row;
  /** Whether its sender is answered as soon as the journal has it. */
  isEarly: boolean;
}

/** Resolves with the message's id once it is stored; not the promise itself, so that nobody waits for it by chance. */
interface Handed {
  loaded: Promise<string>;
}

/**
 * What arrives passes two gates in the same order: the journal, which is quick, and the store. Who cannot have sent a
 * repeat is answered after the first; who may have is answered after the second, with the id of the first message.
 */
export class Intake {
  private readonly parts: IntakeParts;
  private readonly places: SlotPlaces;
  private readonly gate: Batcher<Incoming, Handed>;
  private readonly loader: Batcher<Row, string>;
  private journal: IntakeJournal | undefined;
  /** The last row that was handed to the loader; when it is stored, all before it are. */
  private newest: Promise<unknown> = Promise.resolve();
  /** Whether the store may have taken rows over without saying so. */
  private isInDoubt = false;
  private isClosing = false;
  private wake: () => void = () => undefined;

  constructor(parts: IntakeParts) {
    this.parts = parts;
    this.places = new SlotPlaces(parts.database);
    this.gate = new Batcher((list) => this.keep(list), limits);
    this.loader = new Batcher((rows) => this.load(rows), limits, {
      keeps: (row) => row.place !== undefined,
      pause: (error) => this.pause(error),
    });
  }

  /** Opens the journal and stores what an earlier process kept in it; comes before the first `receive`. */
  async start(): Promise<void> {
    const { journalFolder, database, clock, log } = this.parts;
    if (journalFolder === undefined) return;
    const { journal, rows } = await IntakeJournal.open(journalFolder, { database, clock, log });
    this.journal = journal;
    if (rows.length === 0) return;
    log({ level: 'info', message: `${rows.length} messages are taken over from the intake journal` });
    for (const row of rows) void this.handOn(row);
    await this.loader.drained();
  }

  /** Resolves with the message's id once it is durable; a repeat of a known message gives that one's id. */
  async receive(arrival: Arrival): Promise<string> {
    const now = this.parts.clock.now();
    const row: Row = {
      ...arrival,
      messageId: this.parts.nextId(),
      receivedAt: isoTime(now),
      fingerprint: fingerprintOf(arrival),
    };
    const size = sizeOf(row);
    if (!this.journal) return asked(this.loader.add(row, size));
    const mayRepeat = await this.mayRepeat(arrival, now);
    if (this.loader.isFullFor(size)) throw tooMuch();
    const isEarly = !mayRepeat && this.loader.length < mostAhead;
    const { loaded } = await asked(this.gate.add({ row, isEarly }, size));
    return isEarly ? row.messageId : asked(loaded);
  }

  /** Resolves once all that was answered for is in the store; at once while the store cannot be reached. */
  async loaded(): Promise<void> {
    if (!this.isInDoubt) await this.newest.catch(() => undefined);
  }

  /** Bytes that wait for the store. */
  get waitingBytes(): number {
    return this.loader.size;
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.gate.drained();
    await this.loader.drained();
  }

  /** Stores what waits; what the store does not take stays in the journal for the next start. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.wake();
    await this.drained();
    await this.journal?.close();
  }

  private async mayRepeat({ address, deliveryKey }: Arrival, now: number): Promise<boolean> {
    // Noted and awaited whatever it is, or one with a key would overtake one without.
    const mayBeTwin = await this.places.mayBeTwin(address, now);
    return deliveryKey !== undefined || mayBeTwin;
  }

  /** The first gate: writes what is answered early into the journal, and hands all on in their order. */
  private async keep(list: Incoming[]): Promise<(Handed | Refused)[]> {
    const early = list.filter(({ isEarly }) => isEarly).map(({ row }) => row);
    let failure: Refused | undefined;
    if (early.length > 0) {
      try {
        await this.journal!.keep(early);
      } catch (error) {
        const message = 'the intake journal could not be written';
        this.parts.log({ level: 'error', message, ...errorFacts(error) });
        failure = new Refused(new Problem('unavailable', { retryAfter: 1, cause: error }));
      }
    }
    return list.map(({ row, isEarly }) => (isEarly && failure) || { loaded: this.handOn(row) });
  }

  private handOn(row: Row): Promise<string> {
    const loaded = this.loader.add(row, sizeOf(row));
    this.newest = loaded;
    // Of those answered early nobody waits for it.
    loaded.catch(() => undefined);
    return loaded;
  }

  /** The second gate: the store. */
  private async load(rows: Row[]): Promise<(string | Refused)[]> {
    const known = this.isInDoubt ? await this.journal?.takenUpTo() : undefined;
    this.isInDoubt = false;
    const isKnown = ({ place }: Row) => known !== undefined && place !== undefined && place <= known;
    const ids = await this.store(rows.filter((row) => !isKnown(row)));
    await this.journal?.taken(rows);
    return rows.map((row) => ids.get(row) ?? row.messageId);
  }

  private async store(rows: Row[]): Promise<Map<Row, string | Refused>> {
    const results = new Map<Row, string | Refused>();
    if (rows.length === 0) return results;
    try {
      if (await this.isDecidedAtOnce(rows)) return results;
      const { stored, ids } = await storeArrivals(this.parts.database, rows);
      this.tell(stored);
      for (const [index, row] of rows.entries()) results.set(row, ids[index]!);
    } catch (error) {
      // A lost answer does not mean that nothing was stored.
      this.parts.stored(undefined);
      this.isInDoubt = true;
      if (!isDataError(error) || !rows.some(({ place }) => place !== undefined)) throw error;
      if (rows.length === 1) return results.set(rows[0]!, await this.refuse(rows[0]!, error));
      // The one to blame must not hold up those that were answered for.
      for (const row of rows) for (const [, result] of await this.store([row])) results.set(row, result);
    }
    return results;
  }

  /** What the journal has need not be in the store before it is decided; then each keeps its id. */
  private async isDecidedAtOnce(rows: readonly Row[]): Promise<boolean> {
    if (rows.some(({ place }) => place === undefined)) return false;
    return (await this.parts.storeAndDecide?.(rows)) ?? false;
  }

  /** Puts a message that was answered for and cannot be stored where people find it. */
  private async refuse(row: Row, error: unknown): Promise<Refused> {
    if (row.place !== undefined) {
      const file = await this.journal!.setAside(row);
      const message = `a message could not be stored; it is kept in the data folder as ${file}`;
      this.parts.log({ level: 'error', message, messageId: row.messageId, ...errorFacts(error) });
    }
    return new Refused(error);
  }

  private tell(stored: readonly StoredMessage[]): void {
    this.parts.stored(stored);
    this.parts.changes.publish(arrivalChanges(stored));
  }

  private async pause(error: unknown): Promise<boolean> {
    if (this.isClosing) return false;
    const message = 'messages wait in the intake journal, the store will be asked again';
    this.parts.log({ level: 'warn', message, ...errorFacts(error) });
    await new Promise<void>((resolve) => {
      const stop = this.parts.clock.after(retryAfter, resolve);
      this.wake = () => {
        stop();
        resolve();
      };
    });
    return !this.isClosing;
  }
}

const sizeOf = ({ body }: Row) => body.length + 1024;

const tooMuch = (cause?: unknown) => new Problem('unavailable', { retryAfter: 1, cause });

/** The same for whoever asked, with a refusal that says to come again when too much waits. */
async function asked<T>(added: Promise<T>): Promise<T> {
  try {
    return await added;
  } catch (error) {
    throw error instanceof BatcherFull ? tooMuch(error) : error;
  }
}

function fingerprintOf({ body, deliveryKey }: Arrival): Buffer {
  const hash = createHash('sha256');
  if (deliveryKey === undefined) hash.update('body ').update(body);
  else hash.update('key ').update(deliveryKey);
  return hash.digest().subarray(0, 16);
}
