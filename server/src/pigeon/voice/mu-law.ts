// G.711 µ-law: one byte per sample, as audio is stored.

const bias = 0x84;
const clip = 32_635;

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  const exponent = 31 - Math.clz32(magnitude) - 7;
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

const decoded = Int16Array.from({ length: 256 }, (_, byte) => {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + bias) << ((code >> 4) & 7)) - bias;
  return code & 0x80 ? -magnitude : magnitude;
});

export function encodeMuLaw(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length);
  for (let at = 0; at < samples.length; at++) bytes[at] = encodeSample(samples[at]!);
  return bytes;
}

export function decodeMuLaw(bytes: Uint8Array): Int16Array {
  // A loop, since a call back for each sample of minutes takes seconds.
  const samples = new Int16Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) samples[at] = decoded[bytes[at]!]!;
  return samples;
}
