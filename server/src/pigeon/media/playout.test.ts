import { describe, expect, it } from 'vitest';
import { frameLength, Playout } from './playout.ts';

/** Samples of one value. */
const level = (value: number, frames = 1) => new Int16Array(frames * frameLength).fill(value);

/** First sample of each of the next frames; null where there is nothing to send. */
function next(playout: Playout, frames: number): (number | null)[] {
  const frame = new Int16Array(frameLength);
  return Array.from({ length: frames }, () => (playout.next(frame) ? frame[0]! : null));
}

describe('playout', () => {
  it('plays a reading to its end, filled up with silence', async () => {
    const playout = new Playout();
    const done = playout.play(Int16Array.from([...level(5, 2), 7, 7]));
    expect(next(playout, 4)).toEqual([5, 5, 7, null]);
    expect(await done).toBe(true);
    const last = new Int16Array(frameLength);
    void playout.play(Int16Array.of(7, 7));
    playout.next(last);
    expect([...last.subarray(0, 4)]).toEqual([7, 7, 0, 0]);
  });

  it('is silent in the next frame after a stop, and replaces a reading by the next', async () => {
    const playout = new Playout();
    const first = playout.play(level(5, 50));
    next(playout, 10);
    const second = playout.play(level(6, 50));
    expect(await first).toBe(false);
    expect(next(playout, 1)).toEqual([6]);
    playout.stop();
    expect(await second).toBe(false);
    expect(next(playout, 1)).toEqual([null]);
  });

  it('rings for one second in three until a reading or a stop', () => {
    const playout = new Playout();
    playout.playRingingTone();
    const frame = new Int16Array(frameLength);
    const energies = Array.from({ length: 300 }, () => {
      playout.next(frame);
      return frame.reduce((sum, sample) => sum + sample * sample, 0);
    });
    for (const [index, energy] of energies.entries()) expect(energy > 0).toBe(index % 150 < 50);
    void playout.play(level(5));
    expect(next(playout, 2)).toEqual([5, null]);
    playout.playRingingTone();
    playout.stop();
    expect(next(playout, 1)).toEqual([null]);
  });

  it('sends the audio of another call once two frames are there, and again after a stop', () => {
    const playout = new Playout();
    playout.join(level(1));
    expect(next(playout, 1)).toEqual([null]);
    playout.join(level(2));
    expect(next(playout, 3)).toEqual([1, 2, null]);
    playout.join(level(3));
    expect(next(playout, 1)).toEqual([null]);
    playout.join(level(4));
    expect(next(playout, 2)).toEqual([3, 4]);
  });

  it('keeps the newest 160 ms of another call', () => {
    const playout = new Playout();
    for (let value = 1; value <= 20; value++) playout.join(level(value));
    expect(next(playout, 9)).toEqual([13, 14, 15, 16, 17, 18, 19, 20, null]);
    playout.join(Int16Array.from([...level(1, 20), ...level(2)]));
    expect(next(playout, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  });

  it('gets rid of a delay that came with a burst', () => {
    const playout = new Playout();
    for (let count = 0; count < 8; count++) playout.join(level(1));
    for (let count = 0; count < 400; count++) {
      next(playout, 1);
      playout.join(level(1));
    }
    expect(next(playout, 8).lastIndexOf(1)).toBe(2);
  });

  it('does not send late what came of another call during a reading', () => {
    const playout = new Playout();
    void playout.play(level(9, 10));
    for (let value = 1; value <= 10; value++) {
      playout.join(level(value));
      next(playout, 1);
    }
    expect(next(playout, 1)).toEqual([null]);
  });
});
