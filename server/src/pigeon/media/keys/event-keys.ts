// Keys as telephone events (RFC 4733): payloads, and the presses that received packets mean.
import type { RtpPacket } from '../rtp/rtp.ts';

/** Keys by the number of their event. */
const eventKeys = '0123456789*#ABCD';

/** Timestamps by which a packet may be older than the last one and still belong to an earlier press. */
const maxAge = 5 * 8000;

export interface TelephoneEvent {
  key: string;
  /** Set in the last packets of a press. */
  isEnd: boolean;
  /** Length of the press so far, in timestamps. */
  duration: number;
}

export function isKey(key: string): boolean {
  return key.length === 1 && eventKeys.includes(key);
}

export function writeEvent({ key, isEnd, duration }: TelephoneEvent): Buffer {
  const payload = Buffer.alloc(4);
  payload[0] = eventKeys.indexOf(key);
  // The volume, -10 dBm0, is without meaning to most receivers.
  payload[1] = (isEnd ? 0x80 : 0) | 10;
  payload.writeUInt16BE(duration, 2);
  return payload;
}

/** Null when the payload is no event, or one that is not a key. */
export function parseEvent(payload: Buffer): TelephoneEvent | null {
  if (payload.length < 4) return null;
  const key = eventKeys[payload[0]!];
  return key === undefined
    ? null
    : { key, isEnd: (payload[1]! & 0x80) !== 0, duration: payload.readUInt16BE(2) };
}

export interface EventListener {
  /** A press began. */
  began(key: string): void;
  /** One more packet of the same press. */
  continues(key: string): void;
}

/** All packets of a press carry the timestamp of its beginning; so any of them may be lost. */
export class EventKeys {
  private readonly listener: EventListener;
  private last: { timestamp: number; ssrc: number; event: TelephoneEvent } | undefined;

  constructor(listener: EventListener) {
    this.listener = listener;
  }

  take({ payload, timestamp, ssrc }: RtpPacket): void {
    const event = parseEvent(payload);
    if (!event) return;
    const { last } = this;
    if (last && last.ssrc === ssrc) {
      const step = (timestamp - last.timestamp) | 0;
      // A late packet of an earlier press.
      if (step < 0 && step > -maxAge) return;
      const isSame = step === 0 && event.key === last.event.key;
      if (isSame || isContinued(last.event, event, step)) {
        this.last = { timestamp, ssrc, event };
        this.listener.continues(event.key);
        return;
      }
    }
    this.last = { timestamp, ssrc, event };
    this.listener.began(event.key);
  }
}

/** Whether a press too long for one duration goes on with a new timestamp (RFC 4733, 2.5.1.3). */
function isContinued(last: TelephoneEvent, event: TelephoneEvent, step: number): boolean {
  return !last.isEnd && event.key === last.key && last.duration === 0xffff && step === 0xffff;
}
