// Lines of a text log as bytes. Lines of plain characters, most of a long output, are copied without making text of
// them, whose memory would take more time than everything else that is done to record them.

/** Bytes of a line from which on it is divided. */
export const maxLine = 2000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tilde = 0x7e;

export class StampedLines {
  private memory: Buffer;
  private length = 0;

  /** `expected` is about how many bytes will be added. */
  constructor(expected: number) {
    this.memory = Buffer.allocUnsafe(expected);
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
   * first other line begins.
   */
  addPlain(output: Uint8Array, from: number, stamp: Uint8Array): number {
    for (let start = from; ; ) {
      let end = start;
      while (end < output.length && output[end]! >= space && output[end]! <= tilde) end++;
      const next = end + 1 < output.length && output[end] === carriageReturn ? end + 1 : end;
      if (next === output.length || output[next] !== lineFeed || end - start >= maxLine) return start;
      while (end > start && output[end - 1] === space) end--;
      if (end > start) this.addLine(output, start, end, stamp);
      start = next + 1;
    }
  }

  /** By loops: for so few bytes, calls of the methods that copy take longer. */
  private addLine(output: Uint8Array, start: number, end: number, stamp: Uint8Array): void {
    this.ensure(stamp.length + end - start + 1);
    const { memory } = this;
    let at = this.length;
    for (let index = 0; index < stamp.length; index++) memory[at++] = stamp[index]!;
    for (let index = start; index < end; index++) memory[at++] = output[index]!;
    memory[at++] = lineFeed;
    this.length = at;
  }

  private ensure(more: number): void {
    if (this.length + more <= this.memory.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + more));
    larger.set(this.bytes);
    this.memory = larger;
  }
}
