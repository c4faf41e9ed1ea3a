// What is sent next: a reading, else the ringing tone, else the audio of another call, else nothing.
import { sampleRate } from './media-session.ts';
import { packetMs } from './packet-scheduler.ts';
import { ringingTone } from './tones.ts';

/** Samples of a packet. */
export const frameLength = (sampleRate * packetMs) / 1000;

/** Frames of the other call to have before the first is sent: its packets do not come evenly. */
const framesBeforeStart = 2;
/** Frames of the other call that wait at most; the oldest are left out. */
const maxFrames = 8;
/** Frames after which one is left out if more than needed were waiting all the time: the delay must not stay. */
const framesToWatch = 50;

interface Reading {
  samples: Int16Array;
  position: number;
  resolve(isComplete: boolean): void;
}

let sharedRingingTone: Int16Array | undefined;

export class Playout {
  private reading: Reading | undefined;
  private ringingPosition: number | undefined;
  private joined: Int16Array = new Int16Array(maxFrames * frameLength);
  private joinedLength = 0;
  private isJoinedStarted = false;
  private watched = { frames: 0, lowest: Number.POSITIVE_INFINITY };

  play(samples: Int16Array): Promise<boolean> {
    this.stop();
    return new Promise((resolve) => {
      this.reading = { samples, position: 0, resolve };
    });
  }

  playRingingTone(): void {
    this.stop();
    this.ringingPosition = 0;
  }

  /** Stops reading and ringing tone. */
  stop(): void {
    this.ringingPosition = undefined;
    const { reading } = this;
    this.reading = undefined;
    reading?.resolve(false);
  }

  /** Adds audio of another call. */
  join(samples: Int16Array): void {
    const added = samples.subarray(Math.max(0, samples.length - this.joined.length));
    const excess = this.joinedLength + added.length - this.joined.length;
    if (excess > 0) this.dropJoined(excess);
    this.joined.set(added, this.joinedLength);
    this.joinedLength += added.length;
    if (this.joinedLength >= framesBeforeStart * frameLength) this.isJoinedStarted = true;
  }

  /** Writes the next frame; false when there is nothing to send but silence. */
  next(frame: Int16Array): boolean {
    frame.fill(0);
    if (this.reading) this.readInto(frame, this.reading);
    else if (this.ringingPosition !== undefined) this.ringInto(frame, this.ringingPosition);
    else return this.joinInto(frame);
    // Audio of the other call that is not heard must not be heard late.
    this.dropJoined(Math.min(this.joinedLength, frameLength));
    return true;
  }

  private readInto(frame: Int16Array, reading: Reading): void {
    frame.set(reading.samples.subarray(reading.position, reading.position + frameLength));
    reading.position += frameLength;
    if (reading.position < reading.samples.length) return;
    this.reading = undefined;
    reading.resolve(true);
  }

  private ringInto(frame: Int16Array, position: number): void {
    sharedRingingTone ??= ringingTone();
    frame.set(sharedRingingTone.subarray(position, position + frameLength));
    this.ringingPosition = (position + frameLength) % sharedRingingTone.length;
  }

  private joinInto(frame: Int16Array): boolean {
    if (!this.isJoinedStarted) return false;
    const length = Math.min(frameLength, this.joinedLength);
    frame.set(this.joined.subarray(0, length));
    this.dropJoined(length);
    // After a stop the audio starts with some in hand again.
    if (this.joinedLength === 0 && length < frameLength) this.isJoinedStarted = false;
    this.shorten();
    return length > 0;
  }

  private shorten(): void {
    this.watched.frames++;
    this.watched.lowest = Math.min(this.watched.lowest, this.joinedLength);
    if (this.watched.frames < framesToWatch) return;
    if (this.watched.lowest > framesBeforeStart * frameLength) this.dropJoined(frameLength);
    this.watched = { frames: 0, lowest: Number.POSITIVE_INFINITY };
  }

  private dropJoined(count: number): void {
    this.joined.copyWithin(0, count, this.joinedLength);
    this.joinedLength -= count;
  }
}
