// MD4 (RFC 1320), which NTLM needs and Node no longer has.

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

const rounds = [
  {
    mix: (x: number, y: number, z: number) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    shifts: [3, 7, 11, 19],
  },
  {
    mix: (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    shifts: [3, 5, 9, 13],
  },
  {
    mix: (x: number, y: number, z: number) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    shifts: [3, 9, 11, 15],
  },
] as const;

export function md4(message: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(message.length) * 8n, padded.length - 8);
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < padded.length; at += 64) {
    let [a, b, c, d] = state as [number, number, number, number];
    for (const { mix, constant, order, shifts } of rounds)
      for (const [step, word] of order.entries()) {
        const sum = (a + mix(b, c, d) + padded.readUInt32LE(at + word * 4) + constant) | 0;
        [a, b, c, d] = [d, rotate(sum, shifts[step % 4]!), b, c];
      }
    state = [a, b, c, d].map((value, index) => (value + state[index]!) | 0);
  }
  const digest = Buffer.alloc(16);
  for (const [index, value] of state.entries()) digest.writeInt32LE(value, index * 4);
  return digest;
}
