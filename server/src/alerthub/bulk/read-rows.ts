// Streams the rows of a CSV file with their line numbers; throws with line and reason when the file is
// malformed.
import type { Violation } from '@yagura/core/validation/violation';
import { type CsvError, parse } from 'csv-parse';

/** Maximum characters of one row. */
const maxRowLength = 2_000_000;

export interface FileRow {
  line: number;
  cells: string[];
}

/** Thrown when the rest of the file cannot be read. */
export class UnreadableFile extends Error {
  readonly line: number;
  readonly refusal: Violation;
  constructor(line: number, refusal: Violation) {
    super(refusal.word);
    this.line = line;
    this.refusal = refusal;
  }
}

/** Expects UTF-8, with or without byte order mark; the first line ending determines all others. */
export async function* readRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow> {
  const parser = parse({ relax_column_count: true, info: true, max_record_size: maxRowLength });
  let next = 1;
  const feeding = feedParser(bytes, parser).catch((error) => parser.destroy(error as Error));
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      info: { lines: number };
      record: string[];
    }>) {
      const line = next;
      next = info.lines + 1;
      if (record.length === 1 && record[0] === '') continue;
      yield { line, cells: record };
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UnreadableFile(next, error.refusal);
    const { code } = error as CsvError;
    if (!code?.startsWith('CSV_')) throw error;
    throw new UnreadableFile(next, {
      word: code === 'CSV_MAX_RECORD_SIZE' ? 'bulk.long-row' : 'bulk.quotes',
    });
  } finally {
    parser.destroy();
    await feeding;
  }
}

async function feedParser(bytes: AsyncIterable<Buffer>, parser: ReturnType<typeof parse>): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const write = async (text: string) => {
    if (parser.destroyed) return;
    if (text !== '' && !parser.write(text)) {
      await new Promise<void>((resolve) => {
        parser.once('drain', resolve);
        parser.once('close', resolve);
      });
    }
  };
  try {
    for await (const chunk of bytes) await write(decoder.decode(chunk, { stream: true }));
    await write(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile(0, { word: 'bulk.encoding' });
    throw error;
  }
  if (!parser.destroyed) parser.end();
}
