// Finds the escape commands in what is typed into a session: `~` after a line break, then a letter.

export type EscapeCommand = 'leave' | 'help' | 'request' | 'give';

const commands: Record<string, EscapeCommand> = { '.': 'leave', '?': 'help', r: 'request', g: 'give' };

const tilde = 0x7e;
const lineBreaks = [0x0d, 0x0a];

export class EscapeFilter {
  private isLineStart = true;
  private isAfterTilde = false;

  /** Returns the bytes for the remote side and the commands. `~~` is one tilde. */
  filter(typed: Uint8Array): { bytes: Uint8Array; found: EscapeCommand[] } {
    const bytes: number[] = [];
    const found: EscapeCommand[] = [];
    for (const byte of typed) {
      if (this.isAfterTilde) {
        this.isAfterTilde = false;
        const command = commands[String.fromCharCode(byte)];
        if (command) {
          this.isLineStart = true;
          found.push(command);
          continue;
        }
        bytes.push(tilde);
        if (byte === tilde) {
          this.isLineStart = false;
          continue;
        }
      } else if (this.isLineStart && byte === tilde) {
        this.isAfterTilde = true;
        continue;
      }
      bytes.push(byte);
      this.isLineStart = lineBreaks.includes(byte);
    }
    return { bytes: Uint8Array.from(bytes), found };
  }
}
