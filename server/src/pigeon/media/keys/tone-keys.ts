// Finds the tones of keys in received audio: Goertzel filters over overlapping windows (ITU-T Q.24).
import { sampleRate } from '../media-session.ts';
import { columnFrequencies, keyGrid, peakOf, rowFrequencies } from '../tones.ts';

/** Samples of a window: 25.6 ms, long enough to tell neighboring frequencies apart. */
const windowLength = 205;
/** Samples from one window to the next: 5 ms. */
const hop = 40;
/** Windows in a row that must show the same key. */
const hitsToBegin = 4;
/** Windows in a row without the key that end it. */
const missesToEnd = 5;
/** Level of the weaker tone. */
const minPeak = peakOf(-39);
/** Share of the energy of a window that the two tones must have: speech has more frequencies than two. */
const minShare = 0.78;
/** Ratio of the energies of the two tones: 9 dB, that is 6 and some for the line. */
const maxTwist = 10 ** 0.9;
/** Ratio by which a tone must exceed the others of its group. */
const minDistance = 10 ** 0.6;

/** Deviations of a frequency that are tried; up to 1.5 % must be accepted. */
const deviations = [0.985, 0.9925, 1, 1.0075, 1.015];

/** Filters of the frequencies, rows first; the inner list has one for each deviation. */
const filters = [...rowFrequencies, ...columnFrequencies].map((frequency) =>
  deviations.map((deviation) => 2 * Math.cos((2 * Math.PI * frequency * deviation) / sampleRate)),
);
/** Index of the filter without deviation. */
const exact = deviations.indexOf(1);
/** Energy of the weaker tone in a window. */
const minEnergy = (windowLength * minPeak ** 2) / 2;

export interface ToneListener {
  /** A tone began. */
  began(key: string): void;
  /** The tone goes on. */
  continues(key: string): void;
}

export class ToneKeys {
  private readonly listener: ToneListener;
  private readonly window = new Float64Array(windowLength);
  private filled = 0;
  private candidate: string | null = null;
  private hits = 0;
  private current: string | null = null;
  private misses = 0;

  constructor(listener: ToneListener) {
    this.listener = listener;
  }

  push(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at++) {
      this.window[this.filled++] = samples[at]!;
      if (this.filled < windowLength) continue;
      this.judge(keyIn(this.window));
      this.window.copyWithin(0, hop);
      this.filled = windowLength - hop;
    }
  }

  /**
   * Audio is missing here. After a short gap, as of a lost packet, the same tone is the same press; after a longer
   * one it is another.
   */
  interrupt(isShort: boolean): void {
    this.filled = 0;
    this.hits = 0;
    this.candidate = null;
    if (!isShort) this.current = null;
  }

  private judge(key: string | null): void {
    this.hits = key !== null && key === this.candidate ? this.hits + 1 : 1;
    this.candidate = key;
    if (this.current !== null) {
      this.misses = key === this.current ? 0 : this.misses + 1;
      if (this.misses === 0) this.listener.continues(this.current);
      if (this.misses >= missesToEnd) this.current = null;
    }
    if (key === null || key === this.current || this.hits < hitsToBegin) return;
    this.current = key;
    this.misses = 0;
    this.listener.began(key);
  }
}

function keyIn(window: Float64Array): string | null {
  let energy = 0;
  for (let at = 0; at < windowLength; at++) energy += window[at]! ** 2;
  if (energy < 2 * minEnergy) return null;
  // Most sounds are no row; then their columns need not be looked at.
  const row = strongest(window, 0);
  const column = row === null ? null : strongest(window, rowFrequencies.length);
  if (row === null || column === null) return null;
  const [low, high] = [row, column].map((index) =>
    Math.max(...filters[index]!.map((coefficient) => energyOf(window, coefficient))),
  ) as [number, number];
  if (Math.min(low, high) < Math.max(minEnergy, Math.max(low, high) / maxTwist)) return null;
  if (low + high < energy * minShare) return null;
  return keyGrid[row]![column - rowFrequencies.length]!;
}

/** Energy of a sine of that frequency in the window (Goertzel). */
function energyOf(window: Float64Array, coefficient: number): number {
  let last = 0;
  let beforeLast = 0;
  for (let at = 0; at < windowLength; at++) {
    const value = window[at]! + coefficient * last - beforeLast;
    beforeLast = last;
    last = value;
  }
  return ((last * last + beforeLast * beforeLast - coefficient * last * beforeLast) * 2) / windowLength;
}

/** Index of the filter that stands out of the four beginning at `start`; null when none does. */
function strongest(window: Float64Array, start: number): number | null {
  const energies = filters.slice(start, start + 4).map((filter) => energyOf(window, filter[exact]!));
  const highest = Math.max(...energies);
  const rivals = energies.filter((energy) => energy * minDistance > highest);
  return rivals.length === 1 ? start + energies.indexOf(highest) : null;
}
