// Audio from any source to what a line plays.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pcmu } from '../media/g711.ts';
import { levelSpeech } from './level.ts';
import { resample } from './resample.ts';
import { readWav, WavInvalid, writeWav } from './wav.ts';

/** A sine of one second. */
const tone = (hertz: number, rate: number, amplitude = 10_000) =>
  Int16Array.from({ length: rate }, (_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / rate));

const effective = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

const limits = { maxSeconds: 600 };

/** A WAV file with a format chunk of these values. */
function wav(
  data: Uint8Array,
  { format = 1, channels = 1, rate = 8000, bits = 16, length = data.length } = {},
) {
  const bytes = Buffer.alloc(44 + data.length);
  writeWav({ rate, samples: new Int16Array(0) }).copy(bytes);
  bytes.writeUInt16LE(format, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt16LE(bits, 34);
  bytes.writeUInt32LE(length, 40);
  bytes.set(data, 44);
  return bytes;
}

const faultOf = (bytes: Uint8Array, given = limits) => {
  try {
    readWav(bytes, given);
    return null;
  } catch (error) {
    if (error instanceof WavInvalid) return error.fault;
    throw error;
  }
};

describe('WAV', () => {
  test('what is written is read back', () => {
    const audio = { rate: 8000, samples: Int16Array.of(0, 1, -1, 32_767, -32_768) };
    expect(readWav(writeWav(audio), limits)).toEqual(audio);
  });

  test('8 bits, µ-law, stereo, the extensible format, and other chunks are read', () => {
    expect(readWav(wav(Uint8Array.of(0, 128, 255), { bits: 8 }), limits).samples).toEqual(
      Int16Array.of(-32_768, 0, 32_512),
    );
    expect(readWav(wav(pcmu.encode(Int16Array.of(1000)), { format: 7, bits: 8 }), limits).samples[0]).toBe(
      988,
    );
    const stereo = Buffer.from(Int16Array.of(100, 300, -100, -300).buffer);
    expect(readWav(wav(stereo, { channels: 2 }), limits).samples).toEqual(Int16Array.of(200, -200));
    const plain = wav(Uint8Array.of(1, 0));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const withList = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)]);
    expect(readWav(withList, limits).samples).toEqual(Int16Array.of(1));
    const extended = Buffer.alloc(26);
    extended.writeUInt16LE(1, 24);
    plain.copy(extended, 0, 20, 36);
    extended.writeUInt16LE(0xfffe, 0);
    const head = Buffer.concat([
      plain.subarray(0, 16),
      Buffer.from([26, 0, 0, 0]),
      extended,
      plain.subarray(36),
    ]);
    expect(readWav(head, limits).samples).toEqual(Int16Array.of(1));
  });

  test('a file of unknown length, as programs stream it, ends where it ends', () => {
    expect(readWav(wav(Uint8Array.of(1, 0), { length: 0x7fff_f000 }), limits).samples).toEqual(
      Int16Array.of(1),
    );
  });

  test.each([
    ['notWav', Buffer.from('ID3 not a WAV file at all')],
    ['notWav', Buffer.alloc(0)],
    ['format', wav(Uint8Array.of(1, 0), { format: 3, bits: 32 })],
    ['format', wav(Uint8Array.of(1, 0), { bits: 24 })],
    ['channels', wav(Uint8Array.of(1, 0), { channels: 6 })],
    ['channels', wav(Uint8Array.of(1, 0), { channels: 0 })],
    ['rate', wav(Uint8Array.of(1, 0), { rate: 0 })],
    ['rate', wav(Uint8Array.of(1, 0), { rate: 192_000 })],
    ['empty', wav(new Uint8Array(0))],
    ['empty', wav(Uint8Array.of(1))],
  ])('a file that is refused: %s', (fault, bytes) => expect(faultOf(bytes)).toBe(fault));

  test('one second too much is refused', () => {
    const bytes = writeWav({ rate: 8000, samples: new Int16Array(16_001) });
    expect(faultOf(bytes, { maxSeconds: 2 })).toBe('tooLong');
    expect(faultOf(bytes, { maxSeconds: 3 })).toBeNull();
  });

  test('no bytes, however broken, cause another error', () => {
    const whole = writeWav({ rate: 8000, samples: Int16Array.of(1, 2, 3) });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(49), fc.nat(255)), { maxLength: 12 }),
        fc.nat(50),
        (changes, end) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          faultOf(bytes.subarray(0, end));
        },
      ),
    );
  });
});

describe('the rate of a line', () => {
  test.each([4000, 8000, 11_025, 16_000, 22_050, 44_100, 48_000, 44_101, 96_000])('from %i', async (rate) => {
    const samples = await resample({ rate, samples: tone(1000, rate) });
    expect(samples.length).toBe(8000);
    const expected = tone(1000, 8000);
    const middle = samples.subarray(1000, 7000);
    const error = middle.map((sample, at) => sample - expected[at + 1000]!);
    expect(effective(middle) / effective(expected)).toBeCloseTo(1, 2);
    expect(effective(error) / effective(expected)).toBeLessThan(0.02);
  });

  test('keeps speech and drops what a telephone cannot carry', async () => {
    const level = async (hertz: number) =>
      effective((await resample({ rate: 48_000, samples: tone(hertz, 48_000) })).subarray(1000, 7000)) /
      effective(tone(hertz, 48_000));
    expect(await level(300)).toBeCloseTo(1, 2);
    expect(await level(3000)).toBeCloseTo(1, 1);
    // Each would be heard at 8 kHz less its frequency.
    expect(await level(6000)).toBeLessThan(0.001);
    expect(await level(5000)).toBeLessThan(0.001);
    expect(await level(12_000)).toBeLessThan(0.001);
  });
});

describe('loudness', () => {
  test('a quiet and a loud voice become equally loud, without the silence around them', () => {
    const silence = new Int16Array(4000);
    const voices = [500, 5000, 30_000].map((amplitude) => {
      const spoken = Int16Array.from([...silence, ...tone(440, 8000, amplitude), ...silence]);
      return levelSpeech(spoken);
    });
    for (const samples of voices) {
      expect(effective(samples)).toBeGreaterThan(2800);
      expect(effective(samples)).toBeLessThan(3600);
      expect(samples.length).toBeLessThanOrEqual(8000 + 2 * 400);
    }
  });

  test('silence is nothing', () => {
    expect(levelSpeech(new Int16Array(8000))).toHaveLength(0);
    expect(levelSpeech(new Int16Array(0))).toHaveLength(0);
  });
});
