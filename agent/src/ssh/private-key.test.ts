import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import ssh2, { type ParsedKey } from 'ssh2';
import { expect, test } from 'vitest';
import { readPrivateKey } from './private-key.ts';

const pairs: Record<string, { publicKey: KeyObject; privateKey: KeyObject }> = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ecdsa: generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  ed25519: generateKeyPairSync('ed25519'),
};
const openSsh = ssh2.utils.generateKeyPairSync('ed25519');
const openSshEncrypted = ssh2.utils.generateKeyPairSync('ed25519', {
  passphrase: 'päss "日本"',
  cipher: 'aes256-ctr',
  rounds: 1,
});

function parsed(text: string, passphrase?: string): ParsedKey {
  const key = readPrivateKey(text, passphrase);
  if (typeof key === 'string') throw new Error(key);
  return ssh2.utils.parseKey(key.privateKey, key.passphrase) as ParsedKey;
}

function pkcs8(key: KeyObject, passphrase?: string): string {
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  return String(key.export({ type: 'pkcs8', format: 'pem', ...encryption }));
}

test.each(Object.keys(pairs))('a key in PKCS #8 signs (%s)', (type) => {
  const { privateKey, publicKey } = pairs[type]!;
  for (const key of [parsed(pkcs8(privateKey)), parsed(pkcs8(privateKey, 'secret'), 'secret')]) {
    const signature = key.sign('data');
    expect(key.verify('data', signature as Buffer)).toBe(true);
    expect(createPublicKey(key.getPublicPEM()).equals(publicKey)).toBe(true);
  }
});

test('a key of OpenSSH is taken as it is, also indented and with other line ends', () => {
  const text = openSsh.private;
  const indented = `\uFEFF\r\n  ${text.replaceAll('\n', '\r\n  ')}\r\n`;
  const expected = parsed(text).getPublicSSH();
  expect(parsed(indented).getPublicSSH()).toEqual(expected);
  expect(parsed(openSshEncrypted.private, 'päss "日本"').isPrivateKey()).toBe(true);
});

test('a passphrase of a key without one is no fault', () => {
  expect(parsed(openSsh.private, 'unused').isPrivateKey()).toBe(true);
  expect(parsed(pkcs8(pairs.rsa!.privateKey), 'unused').isPrivateKey()).toBe(true);
});

test.each([
  ['PUBLIC_KEY', openSsh.public, ''],
  ['PASSPHRASE_MISSING', openSshEncrypted.private, ''],
  ['PASSPHRASE_WRONG', openSshEncrypted.private, 'other'],
  ['PASSPHRASE_MISSING', pkcs8(pairs.rsa!.privateKey, 'secret'), ''],
  ['PASSPHRASE_WRONG', pkcs8(pairs.rsa!.privateKey, 'secret'), 'other'],
  ['PRIVATE_KEY', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', ''],
  ['PRIVATE_KEY', openSsh.private.slice(0, 200), ''],
  ['PRIVATE_KEY', pkcs8(generateKeyPairSync('x25519').privateKey), ''],
])('is refused as %s (%#)', (fault, text, passphrase) => {
  expect(readPrivateKey(text, passphrase)).toBe(fault);
});
