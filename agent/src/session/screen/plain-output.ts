// Output that has no effect but text and lines: of a long one, only the last lines stay on a screen.

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Bytes that begin something else: control sequences (ESC, C1 in UTF-8), other character sets (SO, SI). */
const specialBytes = [0x1b, 0xc2, 0x0e, 0x0f];

export function isPlain(bytes: Uint8Array): boolean {
  return !includesAny(bytes, specialBytes);
}

/** By the search of buffers, which is many times faster than that of arrays. */
export function includesAny(bytes: Uint8Array, values: readonly number[]): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return values.some((value) => buffer.includes(value));
}

/**
 * Leaves out lines of plain output before its last `count` ones: everything between two line ends (CR LF), so that the
 * cursor is at the beginning of a line where something is missing.
 */
export function lastLines(chunks: Uint8Array[], count: number): Uint8Array[] {
  const first = findLineEnd(chunks);
  const last = findLineEndBefore(chunks, count);
  if (!first || !last) return chunks;
  const isLeftOut = last.chunk > first.chunk || (last.chunk === first.chunk && last.end > first.end);
  if (!isLeftOut) return chunks;
  return [
    ...chunks.slice(0, first.chunk),
    chunks[first.chunk]!.subarray(0, first.end),
    chunks[last.chunk]!.subarray(last.end),
    ...chunks.slice(last.chunk + 1),
  ];
}

/** Where a line ends: after byte `end` of a chunk. */
interface LineEnd {
  chunk: number;
  end: number;
}

function findLineEnd(chunks: Uint8Array[]): LineEnd | undefined {
  for (const [chunk, bytes] of chunks.entries())
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
      if (bytes[at - 1] === carriageReturn) return { chunk, end: at + 1 };
  return undefined;
}

/** The last line end that at least `count` others follow. */
function findLineEndBefore(chunks: Uint8Array[], count: number): LineEnd | undefined {
  let following = 0;
  for (const [chunk, bytes] of [...chunks.entries()].reverse())
    for (
      let at = bytes.lastIndexOf(lineFeed);
      at >= 0;
      at = at > 0 ? bytes.lastIndexOf(lineFeed, at - 1) : -1
    ) {
      if (following >= count && bytes[at - 1] === carriageReturn) return { chunk, end: at + 1 };
      following++;
    }
  return undefined;
}
