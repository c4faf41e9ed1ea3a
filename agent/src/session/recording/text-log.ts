// Turns output into lines of plain text with times: what the screen said, for reading and searching.

const maxLine = 2000;
const tabStop = 8;

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

export class TextLog {
  private readonly decoder = new TextDecoder();
  private state: State = 'text';
  private params = '';
  private line: string[] = [];
  private column = 0;

  /** Complete lines of this output, each with a time and a line break. */
  add(bytes: Uint8Array, at: number): string {
    return this.read(this.decoder.decode(bytes, { stream: true }), at);
  }

  /** What is left at the end. */
  end(at: number): string {
    return this.read(this.decoder.decode(), at) + this.finishLine(at);
  }

  private read(text: string, at: number): string {
    let lines = '';
    for (const character of text) lines += this.readCharacter(character, at);
    return lines;
  }

  private readCharacter(character: string, at: number): string {
    switch (this.state) {
      case 'text':
        return this.readText(character, at);
      case 'escape':
        this.state = 'text';
        if (character === '[') {
          this.state = 'csi';
          this.params = '';
        } else if (']PX^_'.includes(character)) this.state = 'string';
        else if ('DEMc78'.includes(character)) return this.finishLine(at);
        return '';
      case 'csi':
        if (character >= '@' && character <= '~') {
          this.state = 'text';
          return this.moveCursor(character, at);
        }
        if (this.params.length < 32) this.params += character;
        return '';
      case 'string':
        if (character === '\x07') this.state = 'text';
        else if (character === '\x1b') this.state = 'string-escape';
        return '';
      case 'string-escape':
        this.state = character === '\\' ? 'text' : 'string';
        return '';
    }
  }

  private readText(character: string, at: number): string {
    switch (character) {
      case '\x1b':
        this.state = 'escape';
        return '';
      case '\n':
        return this.finishLine(at);
      case '\r':
        this.column = 0;
        return '';
      case '\b':
        this.column = Math.max(0, this.column - 1);
        return '';
      case '\t':
        this.column = Math.min(maxLine, (Math.floor(this.column / tabStop) + 1) * tabStop);
        return '';
      default:
        if (character < ' ' || (character >= '\x7f' && character <= '\x9f')) return '';
        while (this.line.length < this.column) this.line.push(' ');
        this.line[this.column++] = character;
        return this.column >= maxLine ? this.finishLine(at) : '';
    }
  }

  private moveCursor(final: string, at: number): string {
    const count = Math.min(maxLine, Math.max(1, Number.parseInt(this.params, 10) || 1));
    switch (final) {
      case 'C':
        this.column = Math.min(maxLine - 1, this.column + count);
        return '';
      case 'D':
        this.column = Math.max(0, this.column - count);
        return '';
      case 'G':
        this.column = count - 1;
        return '';
      case 'K':
        if (this.params === '' || this.params === '0')
          this.line.length = Math.min(this.line.length, this.column);
        return '';
      case 'P':
        this.line.splice(this.column, count);
        return '';
      case '@':
        if (this.column < this.line.length)
          this.line.splice(this.column, 0, ...Array.from({ length: count }, () => ' '));
        this.line.length = Math.min(this.line.length, maxLine);
        return '';
      // Movements to other lines: what stood here is one line of the log.
      case 'A':
      case 'B':
      case 'E':
      case 'F':
      case 'H':
      case 'J':
      case 'd':
      case 'f':
      case 'h':
      case 'l':
        return /[hl]/.test(final) && !/^\?(47|1047|1049)$/.test(this.params) ? '' : this.finishLine(at);
      default:
        return '';
    }
  }

  private finishLine(at: number): string {
    const text = Array.from(this.line, (character) => character ?? ' ')
      .join('')
      .trimEnd();
    this.line = [];
    this.column = 0;
    return text === '' ? '' : `${new Date(at).toISOString()}\t${text}\n`;
  }
}
