// Keeps arrivals on disk from their answer until the store has them.
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { Journal } from '../jobs/journal.ts';
import { errorFacts, type Log } from '../log.ts';
import type { Row } from './store-arrivals.ts';

/** Milliseconds after which what the store has is at the latest gone from the journal. */
const tidyEvery = 60_000;
const newline = 10;

export class IntakeJournal {
  private readonly database: Database;
  private readonly journal: Journal;
  private readonly log: Log;
  private readonly stop: () => void;
  /** The place up to which the store has everything. */
  private upTo: number;

  private constructor(journal: Journal, upTo: number, database: Database, clock: Clock, log: Log) {
    this.journal = journal;
    this.upTo = upTo;
    this.database = database;
    this.log = log;
    this.stop = clock.every(tidyEvery, () => void this.tidy(true));
  }

  /** Gives with it the rows that the store does not have yet, in their order. */
  static async open(
    folder: string,
    { database, clock, log }: { database: Database; clock: Clock; log: Log },
  ): Promise<{ journal: IntakeJournal; rows: Row[] }> {
    const upTo = await readMark(database);
    const { journal, entries } = await Journal.open(folder, upTo, { log });
    const kept = new IntakeJournal(journal, upTo, database, clock, log);
    return { journal: kept, rows: entries.map(({ place, bytes }) => ({ ...decodeRow(bytes), place })) };
  }

  /** Resolves once all are on disk, and gives them their places. */
  async keep(rows: readonly Row[]): Promise<void> {
    const places = await this.journal.append(rows.map(encoded));
    for (const [index, row] of rows.entries()) row.place = places[index]!;
  }

  /** The place up to which the store took everything over, as the store says. */
  takenUpTo(): Promise<number> {
    return readMark(this.database);
  }

  /** Says that these are in the store. */
  async taken(rows: readonly Row[]): Promise<void> {
    for (const { place } of rows) if (place !== undefined) this.upTo = Math.max(this.upTo, place);
    await this.tidy(false);
  }

  /** Puts a row that the store cannot take beside the journal; gives the file's name. */
  setAside(row: Row): Promise<string> {
    return this.journal.setAside(row.place!, encoded(row));
  }

  async close(): Promise<void> {
    this.stop();
    await this.tidy(true);
    await this.journal.close();
  }

  private async tidy(all: boolean): Promise<void> {
    try {
      await this.journal.release(this.upTo, all);
    } catch (error) {
      this.log({ level: 'warn', message: 'the intake journal could not be tidied', ...errorFacts(error) });
    }
  }
}

async function readMark(database: Database): Promise<number> {
  const { rows } = await database.query<{ place: number }>('select place from intake_mark');
  return Number(rows[0]!.place);
}

/** One line of JSON, then the body as it came. */
function encoded({ body, place: _place, fingerprint, ...facts }: Row): Buffer {
  const head = JSON.stringify({ ...facts, fingerprint: fingerprint.toString('base64') });
  return Buffer.concat([Buffer.from(`${head}\n`), body]);
}

/** Throws for bytes that are no row. */
export function decodeRow(bytes: Buffer): Row {
  const end = bytes.indexOf(newline);
  const { fingerprint, ...facts } = JSON.parse(bytes.toString('utf8', 0, end));
  return {
    ...facts,
    deliveryKey: facts.deliveryKey,
    fingerprint: Buffer.from(fingerprint, 'base64'),
    body: bytes.subarray(end + 1),
  };
}
