// Messages in a stream (RFC 3261, section 18.3): separated by Content-Length, with empty lines as keep-alive.
import {
  checked,
  contentLength,
  endOfHeaders,
  MalformedMessage,
  maxMessageBytes,
  parseHead,
  type SipMessage,
} from './message.ts';

export interface FramedMessages {
  onMessage(message: SipMessage): void;
  /** A message is malformed but its end is known, so the stream continues. */
  onMalformed(error: MalformedMessage): void;
  /** Two empty lines between messages, which ask for one as an answer (RFC 5626, section 4.4.1). */
  onPing(): void;
}

export class StreamFramer {
  private readonly events: FramedMessages;
  private pending: Buffer = Buffer.alloc(0);
  private parts: Buffer[] = [];
  private partBytes = 0;
  /** Bytes that must arrive before another look is worthwhile: the body is awaited. */
  private needed = 0;
  /** Bytes in which no end of the headers was found. */
  private searched = 0;

  constructor(events: FramedMessages) {
    this.events = events;
  }

  /** Takes what arrived. Throws MalformedMessage if the end of a message cannot be known: close the stream. */
  push(bytes: Buffer): void {
    this.parts.push(bytes);
    this.partBytes += bytes.length;
    if (this.pending.length + this.partBytes < this.needed) return;
    this.pending = Buffer.concat([this.pending, ...this.parts]);
    this.parts = [];
    this.partBytes = 0;
    while (this.takeOne()) {
      this.needed = 0;
      this.searched = 0;
    }
  }

  /** Takes one message from the start; false if it is not complete. */
  private takeOne(): boolean {
    this.skipEmptyLines();
    if (this.pending.length === 0) return false;
    const end = endOfHeaders(this.pending, this.searched);
    if (!end) {
      if (this.pending.length > maxMessageBytes) throw new MalformedMessage('message too large');
      this.searched = Math.max(this.pending.length - 3, 0);
      return false;
    }
    const message = parseHead(this.pending.toString('latin1', 0, end.head));
    const length = contentLength(message);
    if (length === undefined) throw new MalformedMessage('no Content-Length');
    if (end.body + length > maxMessageBytes) throw new MalformedMessage('message too large');
    if (this.pending.length < end.body + length) {
      this.needed = end.body + length;
      return false;
    }
    const body = this.pending.subarray(end.body, end.body + length);
    this.pending = this.pending.subarray(end.body + length);
    try {
      this.events.onMessage(checked(message, body));
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.events.onMalformed(error);
    }
    return true;
  }

  private skipEmptyLines(): void {
    let at = 0;
    let lines = 0;
    while (this.pending[at] === 13 && this.pending[at + 1] === 10) {
      at += 2;
      lines += 1;
    }
    if (at > 0) this.pending = this.pending.subarray(at);
    for (; lines >= 2; lines -= 2) this.events.onPing();
  }
}
