// Reads and decodes the messages of the journal in batches, one batch ahead of what is being stored.
import type { JournalEntry } from '../../journal/journal.ts';
import { JournalReader, type ReadEntries } from '../../journal/journal-reader.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { decodeRow } from '../arrivals/journal-entry.ts';

/** Maximum bytes of a batch; one entry may be larger. */
const maxBatchBytes = 1 << 20;

/** An entry of the journal with its message, or the reason why it has none. */
export type DecodedEntry = JournalEntry &
  ({ row: ArrivalRow; error?: undefined } | { row?: undefined; error: unknown });

/** The next entries, none after position `upTo`; `damaged` as the reader returns it. */
export interface JournalBatch extends Pick<ReadEntries, 'damaged'> {
  upTo: number;
  entries: DecodedEntry[];
}

export interface JournalProgress {
  /** Position of the last entry on disk. */
  lastWritten(): number;
  /** Maximum entries of the next batch. */
  items(): number;
}

export class JournalBatches {
  private readonly reader: JournalReader;
  private readonly progress: JournalProgress;
  /** The reader can do one thing at a time. */
  private readingAhead: Promise<JournalBatch> | undefined;

  constructor(folder: string, progress: JournalProgress) {
    this.reader = new JournalReader(folder, 0);
    this.progress = progress;
  }

  /** Throws file system errors; after one, `seek` must come first. */
  next(): Promise<JournalBatch> {
    const reading = this.readingAhead ?? this.read();
    this.readingAhead = undefined;
    return reading;
  }

  /**
   * Begins to read what comes after position `last`, the end of the batch that `next` has returned. Only a full batch is
   * read ahead: a smaller one becomes larger while its turn has not come.
   */
  readAhead(last: number): void {
    if (this.progress.lastWritten() - last < this.progress.items()) return;
    this.readingAhead = this.read();
    // The next call gets the error.
    this.readingAhead.catch(() => undefined);
  }

  /** Continues after this position; what was read ahead is read again. */
  async seek(sequence: number): Promise<void> {
    await this.dropReadAhead();
    await this.reader.seek(sequence);
  }

  async close(): Promise<void> {
    await this.dropReadAhead();
    await this.reader.close();
  }

  private async dropReadAhead(): Promise<void> {
    await this.readingAhead?.catch(() => undefined);
    this.readingAhead = undefined;
  }

  private async read(): Promise<JournalBatch> {
    const upTo = this.progress.lastWritten();
    const limits = { items: this.progress.items(), bytes: maxBatchBytes };
    const { entries, damaged } = await this.reader.read(upTo, limits);
    return { upTo, damaged, entries: entries.map(decodeEntry) };
  }
}

function decodeEntry(entry: JournalEntry): DecodedEntry {
  try {
    return { ...entry, row: decodeRow(entry.bytes) };
  } catch (error) {
    return { ...entry, error };
  }
}
