// The tables against the decision and output values of the Recommendation (G.711, tables 1 and 2).
import { describe, expect, it } from 'vitest';
import { type Codec, pcma, pcmu } from './g711.ts';

/** Decision values of the positive half, smallest first, in units of the law, built segment by segment. */
function decisionValues(first: readonly number[], segments: readonly { count: number; step: number }[]) {
  const values = [...first];
  for (const { count, step } of segments)
    for (let index = 0; index < count; index++) values.push(values[values.length - 1]! + step);
  return values;
}

/** Table 2: 0, 1, 3, 5 ... 31, 35 ... 95, 103 ... 8159, in 14-bit units. */
const muLaw = decisionValues(
  [0, 1],
  Array.from({ length: 8 }, (_, segment) => ({ count: segment === 0 ? 15 : 16, step: 2 << segment })),
);
/** Table 1: 0, 2, 4 ... 64, 68 ... 4096, in 13-bit units. */
const aLaw = decisionValues(
  [0],
  Array.from({ length: 8 }, (_, segment) => ({ count: 16, step: segment === 0 ? 2 : 1 << segment })),
);

/** Number of the interval of a magnitude: the character signal counted from silence. */
function intervalOf(values: readonly number[], magnitude: number): number {
  let interval = 0;
  while (interval < 127 && magnitude >= values[interval + 1]!) interval++;
  return interval;
}

describe('G.711', () => {
  it('has the decision values of the Recommendation in this test', () => {
    expect(muLaw).toHaveLength(129);
    expect(muLaw[128]).toBe(8159);
    expect(aLaw).toHaveLength(129);
    expect(aLaw[128]).toBe(4096);
  });

  it('encodes every 16-bit sample in µ-law as the decision values say', () => {
    const wrong: number[] = [];
    for (let sample = 0; sample < 32_768; sample++) {
      const interval = intervalOf(muLaw, sample >> 2);
      if (encoded(pcmu, sample) !== 0xff - interval) wrong.push(sample);
      if (encoded(pcmu, ~sample) !== 0x7f - interval) wrong.push(~sample);
    }
    expect(wrong).toEqual([]);
  });

  it('encodes every 16-bit sample in A-law as the decision values say', () => {
    const wrong: number[] = [];
    for (let sample = 0; sample < 32_768; sample++) {
      const interval = intervalOf(aLaw, sample >> 3);
      if (encoded(pcma, sample) !== ((0x80 + interval) ^ 0x55)) wrong.push(sample);
      if (encoded(pcma, ~sample) !== (interval ^ 0x55)) wrong.push(~sample);
    }
    expect(wrong).toEqual([]);
  });

  it('decodes to the middle of each interval', () => {
    for (let interval = 0; interval < 128; interval++) {
      const muMiddle = interval === 0 ? 0 : (muLaw[interval]! + muLaw[interval + 1]!) / 2;
      expect(decoded(pcmu, 0xff - interval)).toBe(muMiddle * 4);
      expect(decoded(pcmu, 0x7f - interval)).toBe(-muMiddle * 4 + 0);
      const aMiddle = (aLaw[interval]! + aLaw[interval + 1]!) / 2;
      expect(decoded(pcma, (0x80 + interval) ^ 0x55)).toBe(aMiddle * 8);
      expect(decoded(pcma, interval ^ 0x55)).toBe(-aMiddle * 8);
    }
  });

  it('encodes what it decoded to the same byte, except the negative zero of the µ-law', () => {
    for (const codec of [pcmu, pcma])
      for (let byte = 0; byte < 256; byte++) {
        if (codec === pcmu && byte === 0x7f) continue;
        expect(encoded(codec, decoded(codec, byte))).toBe(byte);
      }
  });

  it('sends silence as the bytes that are usual for it', () => {
    expect(encoded(pcmu, 0)).toBe(0xff);
    expect(encoded(pcma, 0)).toBe(0xd5);
  });
});

function encoded(codec: Codec, sample: number): number {
  return codec.encode(Int16Array.of(sample))[0]!;
}

function decoded(codec: Codec, byte: number): number {
  return codec.decode(Uint8Array.of(byte))[0]!;
}
