// G.711: 16-bit linear samples to and from one byte each, in both laws, by tables.

export interface Codec {
  name: 'PCMU' | 'PCMA';
  /** Static payload type (RFC 3551). */
  payloadType: number;
  encode(samples: Int16Array): Buffer;
  decode(bytes: Uint8Array): Int16Array;
}

/** Added before the segments of the µ-law are counted, in units of 14-bit samples. */
const muLawBias = 33;

export const pcmu = codecOf('PCMU', 0, decodeMuLaw, encodeMuLaw);
export const pcma = codecOf('PCMA', 8, decodeALaw, encodeALaw);

/** In order of preference. */
export const codecs: readonly Codec[] = [pcmu, pcma];

function codecOf(
  name: Codec['name'],
  payloadType: number,
  decodeByte: (byte: number) => number,
  encodeSample: (sample: number) => number,
): Codec {
  const decoded = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte));
  // Indexed by the sample as an unsigned number.
  const encoded = Uint8Array.from({ length: 65_536 }, (_, index) => encodeSample((index << 16) >> 16));
  return {
    name,
    payloadType,
    encode(samples) {
      const bytes = Buffer.allocUnsafe(samples.length);
      for (let index = 0; index < samples.length; index++) bytes[index] = encoded[samples[index]! & 0xffff]!;
      return bytes;
    },
    decode(bytes) {
      const samples = new Int16Array(bytes.length);
      for (let index = 0; index < bytes.length; index++) samples[index] = decoded[bytes[index]!]!;
      return samples;
    },
  };
}

function decodeMuLaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = (((2 * (bits & 0x0f) + muLawBias) << ((bits >> 4) & 7)) - muLawBias) << 2;
  return bits & 0x80 ? -magnitude : magnitude;
}

function encodeMuLaw(sample: number): number {
  // Negative samples by one's complement, as in the reference software (G.191).
  const magnitude = Math.min(((sample < 0 ? ~sample : sample) >> 2) + muLawBias, 0x1fff);
  const segment = 26 - Math.clz32(magnitude);
  const bits = (segment << 4) | ((magnitude >> (segment + 1)) & 0x0f);
  return ~(sample < 0 ? bits | 0x80 : bits) & 0xff;
}

function decodeALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

function encodeALaw(sample: number): number {
  const magnitude = (sample < 0 ? ~sample : sample) >> 4;
  const segment = Math.max(0, 28 - Math.clz32(magnitude));
  const bits = (segment << 4) | ((segment < 2 ? magnitude : magnitude >> (segment - 1)) & 0x0f);
  return (sample < 0 ? bits : bits | 0x80) ^ 0x55;
}
