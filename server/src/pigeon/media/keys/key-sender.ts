// Sends keys one after the other: as telephone events, or as tones to a party that takes none.

import { frameLength } from '../playout.ts';
import { keyTone } from '../tones.ts';
import { isKey, writeEvent } from './event-keys.ts';

const pressFrames = 5;
/** The end of an event is repeated, so that a receiver notices it despite losses (RFC 4733, 2.5.1.4). */
const endPackets = 3;
const pauseFrames = 3;

interface PendingKey {
  key: string;
  resolve(): void;
  /** Frames sent so far. */
  step: number;
  /** Timestamp of the beginning. */
  timestamp: number;
  tone: Int16Array | null;
}

export interface EventPacket {
  payload: Buffer;
  timestamp: number;
  marker: boolean;
}

export class KeySender {
  private readonly pending: PendingKey[] = [];

  /** Resolves when the key and a pause are sent. */
  send(key: string): Promise<void> {
    if (!isKey(key)) return Promise.reject(new RangeError('a key is one of 0-9, *, #, A-D'));
    return new Promise((resolve) => {
      this.pending.push({ key, resolve, step: 0, timestamp: 0, tone: null });
    });
  }

  /** What takes the place of the audio: an event, a frame that was written, or nothing (null). */
  next(timestamp: number, usesEvents: boolean, frame: Int16Array): EventPacket | 'frame' | null {
    const current = this.pending[0];
    if (!current) return null;
    if (current.step === 0) {
      current.timestamp = timestamp;
      current.tone = usesEvents ? null : keyTone(current.key, (pressFrames * frameLength) / 8);
    }
    const step = current.step++;
    const length = pressFrames + (current.tone ? 0 : endPackets);
    if (current.step >= length + pauseFrames) {
      this.pending.shift();
      current.resolve();
    }
    if (current.tone || step >= length) {
      frame.fill(0);
      if (current.tone) frame.set(current.tone.subarray(step * frameLength, (step + 1) * frameLength));
      return 'frame';
    }
    const isEnd = step >= pressFrames;
    const duration = Math.min(step + 1, pressFrames) * frameLength;
    return {
      payload: writeEvent({ key: current.key, isEnd, duration }),
      timestamp: current.timestamp,
      marker: step === 0,
    };
  }

  /** Resolves what was not sent. */
  close(): void {
    for (const { resolve } of this.pending.splice(0)) resolve();
  }
}
