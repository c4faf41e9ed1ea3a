// One channel of the gateway's connection, with the credit of both directions.
import {
  CreditWindow,
  encodeCredit,
  encodeFrame,
  encodeReset,
  type Frame,
  frameHeaderLength,
  readCredit,
  readReset,
  streamLimits,
  writeFrameHeader,
} from '@yagura/core/greac/stream/frame';
import type { FrameSender, Priority } from '@yagura/core/greac/stream/frame-sender';
import { type StreamCode, streamCodes } from '@yagura/core/greac/stream/gateway-protocol';

export interface ChannelHandlers {
  received?(payload: Uint8Array): void;
  /** There is new credit, or a frame has left. */
  ready?(): void;
  /** The channel is over; nothing can be sent any more. `code` is that of the server's reset, if it was one. */
  closed(code: number | null): void;
}

/** Bytes of a channel that wait for their turn. */
const maxQueued = 64 * 1024;
/** Credit is given back in steps of at least this many bytes. */
const creditStep = streamLimits.credit / 4;

export class Channel {
  readonly number: number;
  private readonly priority: Priority;
  private readonly sender: FrameSender;
  private readonly handlers: ChannelHandlers;
  private readonly forget: () => void;
  private readonly sending = new CreditWindow();
  private readonly receiving = new CreditWindow();
  private queued = 0;
  private owed = 0;
  private isOpen = true;
  private hasEnded = false;

  constructor(
    number: number,
    priority: Priority,
    sender: FrameSender,
    handlers: ChannelHandlers,
    forget: () => void,
  ) {
    this.number = number;
    this.priority = priority;
    this.sender = sender;
    this.handlers = handlers;
    this.forget = forget;
  }

  /** Bytes that can be sent now. */
  get room(): number {
    return this.isOpen ? Math.min(this.sending.available, maxQueued - this.queued) : 0;
  }

  /** Bytes that the other side still takes. */
  get credit(): number {
    return this.sending.available;
  }

  /** Bytes that wait for their turn. */
  get queuedBytes(): number {
    return this.queued;
  }

  /** Sends one data frame; false if there is no credit for it. */
  send(payload: Uint8Array): boolean {
    return this.sendFrame(encodeFrame('data', this.number, payload));
  }

  /** Sends bytes whose payload begins after `frameHeaderLength` as one data frame; false if there is no credit for it. */
  sendFrame(frame: Uint8Array): boolean {
    const length = frame.length - frameHeaderLength;
    if (!this.isOpen || !this.sending.use(length)) return false;
    writeFrameHeader(frame, 'data', this.number);
    this.queued += length;
    this.sender.push(this.priority, this.number, frame, () => {
      this.queued -= length;
      if (this.isOpen) this.handlers.ready?.();
    });
    return true;
  }

  /** Lets the other side send as many bytes again. */
  consumed(bytes: number): void {
    this.owed += bytes;
    if (this.owed < creditStep || !this.isOpen) return;
    this.receiving.add(this.owed);
    this.sender.push('control', this.number, encodeCredit(this.number, this.owed));
    this.owed = 0;
  }

  /** Ends the channel after everything that was sent. */
  end(): void {
    this.endSending();
    this.close();
  }

  /** Nothing is sent after what was sent. The channel stays open for the server's reset. */
  endSending(): void {
    if (!this.isOpen || this.hasEnded) return;
    this.hasEnded = true;
    this.sender.push(this.priority, this.number, encodeFrame('end', this.number, new Uint8Array()));
  }

  reset(code: StreamCode): void {
    if (!this.isOpen) return;
    this.sender.drop(this.number);
    this.sender.push('control', this.number, encodeReset(this.number, streamCodes[code]));
    this.close();
  }

  /** A frame of the server for this channel. */
  receive(frame: Frame): void {
    if (!this.isOpen) return;
    if (frame.kind === 'data') {
      if (this.receiving.use(frame.payload.length)) this.handlers.received?.(frame.payload);
      else this.reset('CREDIT_EXCEEDED');
    } else if (frame.kind === 'credit') {
      const bytes = readCredit(frame);
      if (bytes === null || !this.sending.add(bytes)) this.reset('PROTOCOL');
      else this.handlers.ready?.();
    } else if (frame.kind === 'end') this.close();
    else {
      const code = frame.kind === 'reset' ? readReset(frame) : null;
      if (code === null) this.reset('PROTOCOL');
      else this.close(code);
    }
  }

  /** The connection is lost, or the channel has ended. */
  close(code: number | null = null): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.forget();
    this.handlers.closed(code);
  }
}
