// Tones that we make: keys (ITU-T Q.23) and the ringing tone of Japan.
import { sampleRate } from './media-session.ts';

export const rowFrequencies = [697, 770, 852, 941] as const;
export const columnFrequencies = [1209, 1336, 1477, 1633] as const;

/** Keys by row and column of their frequencies. */
export const keyGrid = ['123A', '456B', '789C', '*0#D'] as const;

/** Peak of a sine of 0 dBm0: the largest one in G.711 has 3.17 dBm0. */
const zeroLevelPeak = 32_767 / 10 ** (3.17 / 20);

/** Peak of a sine of that level. */
export function peakOf(dBm0: number): number {
  return zeroLevelPeak * 10 ** (dBm0 / 20);
}

/** A sine for each frequency and level, added up. */
export function sines(
  parts: readonly { frequency: number; dBm0: number }[],
  milliseconds: number,
): Int16Array {
  const samples = new Int16Array(Math.round((milliseconds * sampleRate) / 1000));
  for (let at = 0; at < samples.length; at++) {
    let sum = 0;
    for (const { frequency, dBm0 } of parts)
      sum += peakOf(dBm0) * Math.sin((2 * Math.PI * frequency * at) / sampleRate);
    samples[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return samples;
}

export function keyTone(key: string, milliseconds: number, dBm0 = -10): Int16Array {
  const row = keyGrid.findIndex((keys) => keys.includes(key));
  const frequencies = [rowFrequencies[row]!, columnFrequencies[keyGrid[row]!.indexOf(key)]!];
  return sines(
    frequencies.map((frequency) => ({ frequency, dBm0 })),
    milliseconds,
  );
}

/** One period of the ringing tone of Japan: 400 Hz, its level going up and down 16 times a second, 1 s on, 2 s off. */
export function ringingTone(): Int16Array {
  const period = new Int16Array(3 * sampleRate);
  const peak = peakOf(-13);
  for (let at = 0; at < sampleRate; at++) {
    const level = (1 - Math.cos((2 * Math.PI * 16 * at) / sampleRate)) / 2;
    period[at] = Math.round(peak * level * Math.sin((2 * Math.PI * 400 * at) / sampleRate));
  }
  return period;
}
