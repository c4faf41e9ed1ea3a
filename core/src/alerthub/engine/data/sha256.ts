// SHA-256 of a text, because the engine is synchronous and runs without Node.js.

/** The first 32 bits of the fractional parts of a root of the first primes. */
function primeRoots(count: number, exponent: number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return Uint32Array.from(primes, (prime) => (prime ** exponent % 1) * 2 ** 32);
}

const initial = primeRoots(8, 1 / 2);
const constants = primeRoots(64, 1 / 3);
const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The digest of the text in UTF-8 as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(offset + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const early = words[index - 15]!;
      const late = words[index - 2]!;
      const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = words[index - 16]! + mixedEarly + words[index - 7]! + mixedLate;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let index = 0; index < 64; index += 1) {
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const first =
        (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constants[index]! + words[index]!) | 0;
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}
