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

test('a private key is found beside what tools write into the same file', () => {
  const { privateKey, publicKey } = pairs.ecdsa!;
  const sec1 = String(privateKey.export({ type: 'sec1', format: 'pem' }));
  const parameters = '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n';
  const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  for (const text of [
    parameters + sec1,
    publicPem + sec1,
    `Bag Attributes\n${pkcs8(privateKey)}${publicPem}`,
  ])
    expect(createPublicKey(parsed(text).getPublicPEM()).equals(publicKey)).toBe(true);
});

/** Decrypted with the passphrase `other479`, it has valid padding. */
const wellPadded = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhGaLa7rJGAIQICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBSe/msaDCppZgw2EcHGtRAEQEis
en0YYXUf7oViIPw+2vqh50ByPaLZOMQ8I12f+XCeXhOEYaJAY/dEM+5X6Q2co1BA
oouLVSJw/E0IJ7QpE4Q=
-----END ENCRYPTED PRIVATE KEY-----
`;

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
  ['PASSPHRASE_WRONG', wellPadded, 'other479'],
  ['PRIVATE_KEY', wellPadded.replace(/oou.*/, ''), 'secret'],
  ['PRIVATE_KEY', wellPadded.replace(/-----END.*/, ''), 'other479'],
  ['PRIVATE_KEY', 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', ''],
  ['PRIVATE_KEY', openSsh.private.slice(0, 200), ''],
  ['PRIVATE_KEY', pkcs8(generateKeyPairSync('x25519').privateKey), ''],
])('is refused as %s (%#)', (fault, text, passphrase) => {
  expect(readPrivateKey(text, passphrase)).toBe(fault);
});
