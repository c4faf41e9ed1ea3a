// Converts audio to the rate of a telephone line with a windowed-sinc filter, one row of taps per phase.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sampleRate } from '../media/media-session.ts';
import type { Audio } from './wav.ts';

/** Zero crossings of the filter on each side; with them, 4.4 kHz and more are gone. */
const crossings = 16;
/** Maximum number of phases; rates that need more use the nearest one. */
const maxPhases = 512;
/** Samples computed before other work gets its turn: some milliseconds. */
const samplesPerTurn = 20_000;

/** Audio at 8000 samples per second. Lets other work run in between. */
export async function resample({ rate, samples }: Audio): Promise<Int16Array> {
  if (rate === sampleRate) return samples;
  const filter = createFilter(rate);
  const result = new Int16Array(Math.floor((samples.length * sampleRate) / rate));
  for (let at = 0; at < result.length; at++) {
    if (at % samplesPerTurn === samplesPerTurn - 1) await nextTurn();
    const position = (at * rate) / sampleRate;
    const before = Math.floor(position);
    const phase = Math.round((position - before) * filter.phases);
    let sum = 0;
    const first = before - filter.reach + 1;
    const row = phase * 2 * filter.reach;
    const from = Math.max(0, -first);
    const to = Math.min(2 * filter.reach, samples.length - first);
    for (let tap = from; tap < to; tap++) sum += filter.taps[row + tap]! * samples[first + tap]!;
    result[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return result;
}

function createFilter(rate: number): { phases: number; reach: number; taps: Float32Array } {
  const phases = Math.min(sampleRate / greatestDivisor(rate, sampleRate), maxPhases);
  // In cycles per input sample.
  const cutoff = (0.475 * Math.min(rate, sampleRate)) / rate;
  const reach = Math.ceil(crossings / (2 * cutoff));
  const taps = new Float32Array((phases + 1) * 2 * reach);
  for (let phase = 0; phase <= phases; phase++) {
    let total = 0;
    const row = phase * 2 * reach;
    for (let tap = 0; tap < 2 * reach; tap++) {
      const distance = tap - reach + 1 - phase / phases;
      const angle = (Math.PI * distance) / reach;
      const window =
        Math.abs(distance) >= reach ? 0 : 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
      const x = 2 * Math.PI * cutoff * distance;
      taps[row + tap] = window * (x === 0 ? 1 : Math.sin(x) / x);
      total += taps[row + tap]!;
    }
    for (let tap = 0; tap < 2 * reach; tap++) taps[row + tap]! /= total;
  }
  return { phases, reach, taps };
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));
