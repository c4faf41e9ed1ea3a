// Vectors of MS-NLMP 4.2.4 (NTLMv2), RFC 1320 (MD4) and RFC 6229 (RC4).
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { md4 } from './md4.ts';
import { NtlmClient, NtlmSeal, parseChallenge, proofOf, responseKey } from './ntlm.ts';
import { Rc4 } from './rc4.ts';

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const account = { domain: 'Domain', username: 'User', password: 'Password' };
const serverChallenge = hex('0123456789abcdef');
const targetInfo = hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000');
const exportedKey = Buffer.alloc(16, 0x55);

test('MD4 and RC4 give the published values', () => {
  const digests = [
    '',
    'abc',
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
  ].map((text) => md4(Buffer.from(text)).toString('hex'));
  expect(digests).toEqual([
    '31d6cfe0d16ae931b73c59d7e0c089c0',
    'a448017aaf21d8525fc10ae87aa6729d',
    'e33b4ddc9c38f2199c3e7b164fcc0536',
  ]);
  expect(md4(Buffer.from('Password', 'utf16le')).toString('hex')).toBe('a4f49c406510bdcab6824ee7c30fd852');
  const stream = new Rc4(hex('0102030405'));
  expect(stream.apply(Buffer.alloc(16)).toString('hex')).toBe('b2396305f03dc027ccc3524a0a1118a8');
  expect(stream.apply(Buffer.alloc(16)).toString('hex')).toBe('6982944f18fc82d589c403a47a0d0919');
});

test('the proof, the session key and the sealed text are those of the specification', () => {
  const key = responseKey(account);
  expect(key.toString('hex')).toBe('0c868a403bfd7a93a3001ef22ef02e3f');
  const { response, sessionKey } = proofOf(key, serverChallenge, {
    ...{ time: Buffer.alloc(8), clientChallenge: Buffer.alloc(8, 0xaa), targetInfo },
  });
  expect(response.subarray(0, 16).toString('hex')).toBe('68cd0ab851e51c96aabc927bebef6a1c');
  expect(sessionKey.toString('hex')).toBe('8de40ccadbc14a82f15cb0ad0de95ca3');
  expect(new Rc4(sessionKey).apply(exportedKey).toString('hex')).toBe('c5dad2544fc9799094ce1ce90bc9d03e');
  const sealed = new NtlmSeal(exportedKey, 'client-to-server').seal(Buffer.from('Plaintext', 'utf16le'));
  expect(sealed.subarray(0, 16).toString('hex')).toBe('010000007fb38ec5c55d497600000000');
  expect(sealed.subarray(16).toString('hex')).toBe('54e50165bf1936dc996020c1811b0f06fb5f');
});

function challengeWith(info: Buffer, flags = 0xe2898235): Buffer {
  const head = Buffer.alloc(56);
  head.write('NTLMSSP\0', 'latin1');
  head.writeUInt32LE(2, 8);
  head.writeUInt32LE(flags, 20);
  serverChallenge.copy(head, 24);
  head.writeUInt16LE(info.length, 40);
  head.writeUInt16LE(info.length, 42);
  head.writeUInt32LE(head.length, 44);
  return Buffer.concat([head, info]);
}

test('the answer carries a valid code of the three messages and the channel binding', () => {
  const random = (length: number) => Buffer.alloc(length, length === 16 ? 0x55 : 0xaa);
  const client = new NtlmClient(account, random, () => 0);
  const challenge = challengeWith(targetInfo);
  const binding = Buffer.alloc(16, 0x77);
  const { message } = client.authenticate(challenge, binding);
  const code = Buffer.from(message.subarray(72, 88));
  const unsigned = Buffer.from(message).fill(0, 72, 88);
  const mac = createHmac('md5', exportedKey)
    .update(client.negotiate())
    .update(challenge)
    .update(unsigned)
    .digest();
  expect(code).toEqual(mac);
  // Flags (integrity code), then the binding, then the end.
  expect(message.includes(Buffer.concat([hex('06000400 02000000 0a001000'), binding, Buffer.alloc(4)]))).toBe(
    true,
  );
  expect(message.includes(Buffer.from('Password', 'utf16le'))).toBe(false);
});

test('a sealed message that was altered is not opened, and a weak or broken challenge is refused', () => {
  const sealed = new NtlmSeal(exportedKey, 'server-to-client').seal(Buffer.from('answer'));
  const open = (bytes: Uint8Array) =>
    new NtlmSeal(exportedKey, 'server-to-client').open(bytes)?.toString() ?? null;
  expect(open(sealed)).toBe('answer');
  for (const at of [0, 5, 12, 16, sealed.length - 1]) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 1;
    expect([at, open(altered)]).toEqual([at, null]);
  }
  expect(open(sealed.subarray(0, 15))).toBeNull();
  const client = new NtlmClient(account);
  expect(() => client.authenticate(challengeWith(targetInfo, 0x00000001), Buffer.alloc(16))).toThrow(
    'SIGN_IN_FAILED',
  );
  const whole = challengeWith(targetInfo);
  for (let length = 0; length < whole.length; length += 1)
    expect(() => parseChallenge(whole.subarray(0, length))).toThrow('PROTOCOL');
});
