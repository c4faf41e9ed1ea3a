// Telnet (RFC 854, 855) with the option negotiation of RFC 1143 and the options TTYPE (1091), NAWS (1073), SGA (858),
// ECHO (857) and BINARY (856). Reads and writes nothing itself.
import type { TerminalSize } from '../target.ts';

const command = { SE: 240, SB: 250, WILL: 251, WONT: 252, DO: 253, DONT: 254, IAC: 255 } as const;
const option = { BINARY: 0, ECHO: 1, SGA: 3, TTYPE: 24, NAWS: 31 } as const;
const terminalTypeIs = 0;
const terminalTypeSend = 1;
const terminalType = 'XTERM-256COLOR';

/** Options of each side that are agreed to; all others are refused. */
const ownOptions: readonly number[] = [option.BINARY, option.SGA, option.TTYPE, option.NAWS];
const otherOptions: readonly number[] = [option.BINARY, option.ECHO, option.SGA];

const maxSubnegotiation = 4096;
/** Answers to options in one connection; later requests of a host that never stops are ignored. */
const maxAnswers = 500;

/** RFC 1143: no, yes, or waiting for the other side to agree. */
type OptionState = 'no' | 'yes' | 'want-yes';

type Reading = 'data' | 'return' | 'command' | 'option' | 'sub' | 'sub-command';

export class TelnetCodec {
  private readonly send: (bytes: Uint8Array) => void;
  private size: TerminalSize;
  private readonly own = new Map<number, OptionState>();
  private readonly other = new Map<number, OptionState>();
  private reading: Reading = 'data';
  private verb = 0;
  private sub: number[] = [];
  private answers = 0;
  private isTelnet = false;

  constructor(size: TerminalSize, send: (bytes: Uint8Array) => void) {
    this.size = size;
    this.send = send;
  }

  /** Takes bytes of the host and returns the data among them. */
  receive(bytes: Uint8Array): Uint8Array {
    const data = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) if (this.readByte(byte)) data[length++] = byte;
    return data.subarray(0, length);
  }

  /** Data in the form in which it is sent. */
  encode(data: Uint8Array): Uint8Array {
    const isBinary = this.own.get(option.BINARY) === 'yes';
    const bytes: number[] = [];
    for (const byte of data) {
      bytes.push(byte);
      if (byte === command.IAC) bytes.push(command.IAC);
      // A carriage return alone is followed by NUL (RFC 854, NVT).
      else if (byte === 13 && !isBinary) bytes.push(0);
    }
    return Uint8Array.from(bytes);
  }

  resize(size: TerminalSize): void {
    this.size = size;
    if (this.own.get(option.NAWS) === 'yes') this.sendSize();
  }

  /** Whether the byte is data. */
  private readByte(byte: number): boolean {
    switch (this.reading) {
      case 'return':
        this.reading = 'data';
        if (byte === 0) return false;
        return this.readByte(byte);
      case 'data':
        if (byte === command.IAC) this.reading = 'command';
        else if (byte === 13 && this.other.get(option.BINARY) !== 'yes') this.reading = 'return';
        return byte !== command.IAC;
      case 'command':
        return this.readCommand(byte);
      case 'option':
        this.reading = 'data';
        this.negotiate(byte);
        return false;
      case 'sub':
        if (byte === command.IAC) this.reading = 'sub-command';
        else this.sub.push(...(this.sub.length < maxSubnegotiation ? [byte] : []));
        return false;
      case 'sub-command':
        if (byte === command.IAC) {
          this.reading = 'sub';
          if (this.sub.length < maxSubnegotiation) this.sub.push(byte);
        } else {
          this.reading = 'data';
          if (byte === command.SE) this.subnegotiate();
        }
        return false;
    }
  }

  private readCommand(byte: number): boolean {
    this.reading = 'data';
    if (byte === command.IAC) return true;
    if (byte === command.SB) {
      this.sub = [];
      this.reading = 'sub';
    } else if (byte >= command.WILL) {
      this.verb = byte;
      this.reading = 'option';
    }
    return false;
  }

  private negotiate(code: number): void {
    if (!this.isTelnet) {
      this.isTelnet = true;
      // Without it, hosts clear the eighth bit of what is typed.
      this.request(this.own, command.WILL, option.BINARY);
      this.request(this.other, command.DO, option.BINARY);
    }
    const { verb } = this;
    if (verb === command.DO) this.agree(this.own, ownOptions, code, command.WILL, command.WONT);
    else if (verb === command.WILL) this.agree(this.other, otherOptions, code, command.DO, command.DONT);
    else this.decline(verb === command.DONT ? this.own : this.other, code, verb);
  }

  private request(states: Map<number, OptionState>, verb: number, code: number): void {
    states.set(code, 'want-yes');
    this.answer(verb, code);
  }

  private agree(
    states: Map<number, OptionState>,
    allowed: readonly number[],
    code: number,
    yes: number,
    no: number,
  ): void {
    const state = states.get(code) ?? 'no';
    if (state === 'yes') return;
    if (!allowed.includes(code)) {
      this.answer(no, code);
      return;
    }
    if (state === 'no' && !this.answer(yes, code)) return;
    states.set(code, 'yes');
    if (states === this.own && code === option.NAWS) this.sendSize();
  }

  private decline(states: Map<number, OptionState>, code: number, verb: number): void {
    const state = states.get(code) ?? 'no';
    states.set(code, 'no');
    if (state === 'yes') this.answer(verb === command.DONT ? command.WONT : command.DONT, code);
  }

  /** False if too many were sent already. */
  private answer(verb: number, code: number): boolean {
    if (this.answers >= maxAnswers) return false;
    this.answers++;
    this.send(Uint8Array.of(command.IAC, verb, code));
    return true;
  }

  private subnegotiate(): void {
    const [code, request] = this.sub;
    if (code !== option.TTYPE || request !== terminalTypeSend || this.own.get(code) !== 'yes') return;
    if (this.answers >= maxAnswers) return;
    this.answers++;
    this.sendSub([option.TTYPE, terminalTypeIs, ...new TextEncoder().encode(terminalType)]);
  }

  private sendSize(): void {
    const { columns, rows } = this.size;
    this.sendSub([option.NAWS, columns >> 8, columns & 255, rows >> 8, rows & 255]);
  }

  private sendSub(content: readonly number[]): void {
    const escaped = content.flatMap((byte) => (byte === command.IAC ? [byte, byte] : [byte]));
    this.send(Uint8Array.of(command.IAC, command.SB, ...escaped, command.IAC, command.SE));
  }
}
