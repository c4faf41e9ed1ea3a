// WAV files: reads PCM of 8 and 16 bits and µ-law, mono or stereo, from untrusted sources; writes 16-bit mono.
import { pcmu } from '../media/g711.ts';

export interface Audio {
  /** Samples per second. */
  rate: number;
  /** Mono; stereo is mixed. */
  samples: Int16Array;
}

/** Why a file is not usable. */
export type WavFault = 'notWav' | 'format' | 'channels' | 'rate' | 'empty' | 'tooLong';

export class WavInvalid extends Error {
  readonly fault: WavFault;
  constructor(fault: WavFault) {
    super(`not a usable WAV file: ${fault}`);
    this.fault = fault;
  }
}

export const minRate = 4000;
export const maxRate = 96_000;

const formats = { pcm: 1, muLaw: 7, extensible: 0xfffe };

interface Format {
  coding: 'pcm8' | 'pcm16' | 'muLaw';
  channels: number;
  rate: number;
}

/**
 * Reads a WAV file. A data chunk longer than the file, as programs write it that do not know the length yet,
 * ends with the file. Throws WavInvalid.
 */
export function readWav(bytes: Uint8Array, limits: { maxSeconds: number }): Audio {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WAVE') throw new WavInvalid('notWav');
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, length] = [tag(view, at), view.getUint32(at + 4, true)];
    const start = at + 8;
    if (name === 'fmt ') format = readFormat(view, start, Math.min(length, bytes.length - start));
    if (name === 'data') {
      if (!format) throw new WavInvalid('format');
      return readData(bytes.subarray(start, start + length), format, limits.maxSeconds);
    }
    // Chunks begin at even offsets.
    at = start + length + (length % 2);
  }
  throw new WavInvalid(format ? 'empty' : 'notWav');
}

const tag = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

function readFormat(view: DataView, at: number, length: number): Format {
  if (length < 16) throw new WavInvalid('format');
  const given = view.getUint16(at, true);
  // The extensible format begins its identifier with the number of the format.
  const number = given === formats.extensible && length >= 26 ? view.getUint16(at + 24, true) : given;
  const bits = view.getUint16(at + 14, true);
  const coding =
    number === formats.muLaw && bits === 8
      ? 'muLaw'
      : number === formats.pcm && bits === 8
        ? 'pcm8'
        : number === formats.pcm && bits === 16
          ? 'pcm16'
          : undefined;
  if (!coding) throw new WavInvalid('format');
  const channels = view.getUint16(at + 2, true);
  if (channels !== 1 && channels !== 2) throw new WavInvalid('channels');
  const rate = view.getUint32(at + 4, true);
  if (rate < minRate || rate > maxRate) throw new WavInvalid('rate');
  return { coding, channels, rate };
}

function readData(data: Uint8Array, { coding, channels, rate }: Format, maxSeconds: number): Audio {
  const width = coding === 'pcm16' ? 2 : 1;
  const frames = Math.floor(data.length / (width * channels));
  if (frames === 0) throw new WavInvalid('empty');
  if (frames > maxSeconds * rate) throw new WavInvalid('tooLong');
  const values = decode(data.subarray(0, frames * channels * width), coding);
  if (channels === 1) return { rate, samples: values };
  const samples = new Int16Array(frames);
  for (let at = 0; at < frames; at++) samples[at] = (values[2 * at]! + values[2 * at + 1]!) >> 1;
  return { rate, samples };
}

function decode(data: Uint8Array, coding: Format['coding']): Int16Array {
  if (coding === 'muLaw') return pcmu.decode(data);
  if (coding === 'pcm8') return Int16Array.from(data, (byte) => (byte - 128) << 8);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const samples = new Int16Array(data.length / 2);
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(2 * at, true);
  return samples;
}

/** A 16-bit mono WAV file. */
export function writeWav({ rate, samples }: Audio): Buffer {
  const bytes = Buffer.alloc(44 + 2 * samples.length);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + 2 * samples.length, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(formats.pcm, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(2 * rate, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(2 * samples.length, 40);
  for (let at = 0; at < samples.length; at++) bytes.writeInt16LE(samples[at]!, 44 + 2 * at);
  return bytes;
}
