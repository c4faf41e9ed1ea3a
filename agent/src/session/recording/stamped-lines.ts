// Lines of a text log as bytes. Lines of plain characters, most of a long output, are copied without making text of
// them, whose memory would take more time than everything else that is done to record them.

/** Bytes of a line from which on it is divided. */
export const maxLine = 2000;
/** Room for the stamp of a last line. */
const stampRoom = 64;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tilde = 0x7e;

export class StampedLines {
  private memory: Buffer;
  private view: DataView;
  private length = 0;

  /** `expected` is about how many bytes will be added. */
  constructor(expected: number) {
    this.memory = Buffer.allocUnsafe(expected + maxLine + stampRoom);
    this.view = viewOf(this.memory);
  }

  /** All lines so far. */
  get bytes(): Uint8Array {
    return this.memory.subarray(0, this.length);
  }

  addText(text: string): void {
    if (text === '') return;
    this.ensure(Buffer.byteLength(text));
    this.length += this.memory.write(text, this.length);
  }

  /**
   * Adds the complete lines of plain characters that `output` has from `from` on, each after `stamp`. Returns where the
   * first other line begins. Four bytes are read and written at a time: for so few, calls of the methods that copy take
   * longer.
   */
  addPlain(output: Uint8Array, from: number, stamp: Uint8Array): number {
    const source = viewOf(output);
    const stampSource = viewOf(stamp);
    for (let start = from; ; ) {
      this.ensure(stamp.length + maxLine + 1);
      const { memory, view } = this;
      const limit = Math.min(output.length, start + maxLine);
      let end = start;
      // A line that turns out not to be plain is written over by the next.
      let at = this.length + stamp.length;
      while (end + 4 <= limit) {
        const word = source.getInt32(end);
        if (!arePlain(word)) break;
        view.setInt32(at, word);
        end += 4;
        at += 4;
      }
      while (end < limit && output[end]! >= space && output[end]! <= tilde) memory[at++] = output[end++]!;
      const next = end + 1 < output.length && output[end] === carriageReturn ? end + 1 : end;
      if (next === output.length || output[next] !== lineFeed || end - start >= maxLine) return start;
      while (end > start && output[end - 1] === space) {
        end--;
        at--;
      }
      if (end > start) {
        copyBytes(stampSource, view, this.length);
        memory[at++] = lineFeed;
        this.length = at;
      }
      start = next + 1;
    }
  }

  private ensure(more: number): void {
    if (this.length + more <= this.memory.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + more));
    larger.set(this.bytes);
    this.memory = larger;
    this.view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Whether four bytes are characters from space to tilde: none has its highest bit or is DEL, each has bit 5 or 6. */
function arePlain(word: number): boolean {
  const isAbove = (word | (word + 0x01010101)) & 0x80808080;
  return isAbove === 0 && ((word | (word << 1)) & 0x40404040) === 0x40404040;
}

function copyBytes(from: DataView, to: DataView, at: number): void {
  let index = 0;
  for (; index + 4 <= from.byteLength; index += 4) to.setInt32(at + index, from.getInt32(index));
  for (; index < from.byteLength; index++) to.setUint8(at + index, from.getUint8(index));
}
