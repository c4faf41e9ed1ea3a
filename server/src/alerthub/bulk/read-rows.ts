// Streams the rows of a CSV file with their line numbers; throws with line and reason when the file is
// malformed.
import type { Violation } from '@yagura/core/validation/violation';
import { CsvError, parse } from 'csv-parse';

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
  /** Name of the column; null if it is not known. */
  readonly column: string | null;
  constructor(line: number, refusal: Violation, column: string | null = null) {
    super(refusal.word);
    this.line = line;
    this.refusal = refusal;
    this.column = column;
  }
}

/** Expects UTF-8, with or without byte order mark; the first line ending determines all others. */
export async function* readRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow> {
  const parser = parse({ relax_column_count: true, info: true, max_record_size: maxRowLength });
  let next = 1;
  const place = new FilePlace();
  const feeding = feedParser(bytes, parser, place).catch((error) => parser.destroy(error as Error));
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      info: { lines: number };
      record: string[];
    }>) {
      const line = next;
      next = info.lines + 1;
      // Spreadsheet programs end a file with rows of empty cells.
      if (record.every((cell) => cell.trim() === '')) continue;
      yield { line, cells: record };
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw new UnreadableFile(next, { word: 'bulk.long-row' });
    // Rows before the error may not have been read yet: the parser drops them.
    const { lines, column } = error as { lines?: number; column?: unknown };
    throw new UnreadableFile(
      lines ?? next,
      { word: 'bulk.quotes' },
      typeof column === 'number' ? place.columnAt(column) : null,
    );
  } finally {
    parser.destroy();
    await feeding;
  }
}

async function feedParser(
  bytes: AsyncIterable<Buffer>,
  parser: ReturnType<typeof parse>,
  place: FilePlace,
): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const write = async (text: string) => {
    place.advance(text);
    if (parser.destroyed) return;
    if (text !== '' && !parser.write(text)) await untilDrained(parser);
  };
  let last: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of bytes) {
      last = chunk;
      await write(decoder.decode(chunk, { stream: true }));
    }
    last = Buffer.alloc(0);
    await write(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    place.advance(new TextDecoder('utf-8').decode(last).split('\ufffd')[0]!);
    throw new UnreadableFile(place.line, { word: 'bulk.encoding' }, place.column());
  }
  if (!parser.destroyed) parser.end();
}

/** Ends when the parser takes more, or was closed. Leaves no listener: a large file waits thousands of times. */
function untilDrained(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      parser.off('drain', end).off('close', end);
      resolve();
    };
    parser.on('drain', end).on('close', end);
  });
}

/** Place in a file up to which its text was read. */
class FilePlace {
  line = 1;
  private header = '';
  private lineStart = '';

  advance(text: string): void {
    const lines = text.split(/\r\n|\r|\n/);
    if (this.line === 1) this.header += lines[0];
    this.line += lines.length - 1;
    this.lineStart = (lines.length > 1 ? '' : this.lineStart) + lines.at(-1)!;
  }

  /** Name of the column in which the text ends. */
  column(): string | null {
    return this.line === 1 ? null : this.columnAt(cellsOf(this.lineStart).length - 1);
  }

  columnAt(index: number): string | null {
    return cellsOf(this.header)[index]?.trim() ?? null;
  }
}

/** Cells of the beginning of a line; quoted ones without their quotes. */
function cellsOf(line: string): string[] {
  return [...line.replace('\ufeff', '').matchAll(/(?:^|,)("(?:[^"]|"")*"?|[^,]*)/g)].map(([, cell]) =>
    cell!.replaceAll('"', ''),
  );
}
