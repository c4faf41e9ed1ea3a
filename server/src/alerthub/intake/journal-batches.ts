// Reads and decodes the messages of the journal in batches, two batches ahead of what is being stored.
import type { JournalEntry } from '../../journal/journal.ts';
import { JournalReader, type ReadEntries } from '../../journal/journal-reader.ts';
import type { ArrivalRow } from '../arrivals/arrival.ts';
import { decodeRow } from '../arrivals/journal-entry.ts';

/** Maximum bytes of a batch; one entry may be larger. */
const maxBatchBytes = 1 << 20;
/** Maximum batches that are read ahead. */
const maxAhead = 2;

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
  /** Under which the database stores the position of the journal. */
  journalId(): string;
  /** Called when a batch has been read ahead, with all entries that `next` will return, in order. */
  onReadAhead(entries: readonly DecodedEntry[]): void;
}

/** `batch` is set once it has been read. */
interface ReadAhead {
  reading: Promise<JournalBatch>;
  batch: JournalBatch | undefined;
}

export class JournalBatches {
  private readonly reader: JournalReader;
  private readonly progress: JournalProgress;
  /** The reader can do one thing at a time: only the last of these may be unread. */
  private readonly ahead: ReadAhead[] = [];

  constructor(folder: string, progress: JournalProgress) {
    this.reader = new JournalReader(folder, 0);
    this.progress = progress;
  }

  /** Throws file system errors; after one, `seek` must come first. */
  next(): Promise<JournalBatch> {
    return this.ahead.shift()?.reading ?? this.read();
  }

  /** The batch that `next` will return, if it has been read already. */
  get upcoming(): JournalBatch | undefined {
    return this.ahead[0]?.batch;
  }

  /**
   * Begins to read what comes after position `last`, the end of the batch that `next` has returned. Only full batches are
   * read ahead: a smaller one becomes larger while its turn has not come.
   */
  readAhead(last: number): void {
    const latest = this.ahead.at(-1);
    if (!latest) this.readAfter(last);
    else if (latest.batch) this.continueAfter(latest.batch);
  }

  private readAfter(last: number): void {
    if (this.progress.lastWritten() - last < this.progress.items()) return;
    const one: ReadAhead = { reading: this.read(), batch: undefined };
    this.ahead.push(one);
    one.reading.then(
      (batch) => {
        one.batch = batch;
        this.progress.onReadAhead(this.ahead.flatMap((other) => other.batch?.entries ?? []));
        if (this.ahead.at(-1) === one) this.continueAfter(batch);
      },
      // The next call gets the error.
      () => undefined,
    );
  }

  private continueAfter({ entries }: JournalBatch): void {
    const last = entries.at(-1)?.sequence;
    if (last !== undefined && this.ahead.length < maxAhead) this.readAfter(last);
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
    await Promise.allSettled(this.ahead.splice(0).map(({ reading }) => reading));
  }

  private async read(): Promise<JournalBatch> {
    const upTo = this.progress.lastWritten();
    const limits = { items: this.progress.items(), bytes: maxBatchBytes };
    const { entries, damaged } = await this.reader.read(upTo, limits);
    const journalId = this.progress.journalId();
    return { upTo, damaged, entries: entries.map((entry) => decodeEntry(entry, journalId)) };
  }
}

function decodeEntry(entry: JournalEntry, journalId: string): DecodedEntry {
  try {
    const row = decodeRow(entry.bytes);
    row.journalEntry = { journalId, sequence: entry.sequence };
    return { ...entry, row };
  } catch (error) {
    return { ...entry, error };
  }
}
