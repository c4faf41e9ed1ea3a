// WAV files for the phones of the tests, and what is in a recording.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Samples of a WAV file with 16 bits; the sizes in its header may be missing while it is written. */
export function readWav(file: string): Int16Array {
  const bytes = readFileSync(file);
  const data = bytes.indexOf('data');
  const start = data < 0 ? 44 : data + 8;
  return Int16Array.from({ length: Math.max(0, (bytes.length - start) >> 1) }, (_value, at) =>
    bytes.readInt16LE(start + at * 2),
  );
}

/** A WAV file with a tone. */
export function writeTone(folder: string, hertz: number, seconds: number): string {
  const file = join(folder, `${hertz}.wav`);
  if (existsSync(file)) return file;
  const samples = seconds * 8000;
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++)
    bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * at) / 8000)), 44 + at * 2);
  writeFileSync(file, bytes);
  return file;
}

/** Root mean square of samples. */
export function energy(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/** Samples whose tone is measured at once. A lost packet changes the phase, which cancels the tone within one window only. */
const toneWindow = 400;

/** Strength of a tone in samples, on average over its windows: about half its amplitude if nothing else is heard. */
export function toneStrength(samples: Int16Array, hertz: number): number {
  const windows = Math.floor(samples.length / toneWindow);
  let sum = 0;
  for (let at = 0; at < windows; at++)
    sum += goertzel(samples.subarray(at * toneWindow, (at + 1) * toneWindow), hertz);
  return windows === 0 ? 0 : sum / windows;
}

/** Strength of a tone in one window (Goertzel). */
function goertzel(samples: Int16Array, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / 8000);
  let [first, second] = [0, 0];
  for (const sample of samples) [first, second] = [sample + coefficient * first - second, first];
  const power = first * first + second * second - coefficient * first * second;
  return Math.sqrt(Math.max(0, power)) / samples.length;
}

/** Root mean square of every 20 ms. */
function envelope(samples: Int16Array): number[] {
  const length = 160;
  return Array.from({ length: Math.floor(samples.length / length) }, (_value, at) =>
    energy(samples.subarray(at * length, (at + 1) * length)),
  );
}

/** Where a sound is heard best, in units of 20 ms, and the correlation of its loudness over time: 1 for the same sound. */
export function findSound(heard: Int16Array, sound: Int16Array): { at: number; likeness: number } {
  const [all, wanted] = [envelope(heard), envelope(sound)];
  const best = { at: -1, likeness: -1 };
  for (let at = 0; at + wanted.length <= all.length; at++) {
    const likeness = correlation(all.slice(at, at + wanted.length), wanted);
    if (likeness > best.likeness) Object.assign(best, { at, likeness });
  }
  return best;
}

function correlation(first: number[], second: number[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, other] = [mean(first), mean(second)];
  let [product, squares, otherSquares] = [0, 0, 0];
  for (const [at, value] of first.entries()) {
    const [left, right] = [value - middle, second[at]! - other];
    product += left * right;
    squares += left * left;
    otherSquares += right * right;
  }
  return squares === 0 || otherSquares === 0 ? 0 : product / Math.sqrt(squares * otherSquares);
}
