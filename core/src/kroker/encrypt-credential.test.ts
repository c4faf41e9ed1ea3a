import { calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { encryptCredential } from './encrypt-credential.ts';
import { maxSealedLength, parseSealedHeader } from './encrypted-credential.ts';
import type { CredentialSecret } from './open-credential.ts';
import type { PublicKey } from './public-key.ts';

const krokerId = '0190a0a0-0000-7000-8000-000000000001';
const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
const publicKey = (await exportJWK(pair.publicKey)) as PublicKey;
const secrets: CredentialSecret[] = [
  { credentialType: 'password', username: 'root', password: 'p\u0000 "ä 櫓' },
  {
    credentialType: 'private-key',
    username: '',
    privateKey: `-----BEGIN${'x'.repeat(12_000)}`,
    passphrase: '',
  },
];
const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');

describe('a sealed credential', () => {
  test.each(secrets)('of the type $credentialType is opened by its Kroker alone', async (secret) => {
    const sealed = await encryptCredential(secret, { krokerId, publicKey });
    const opened = await compactDecrypt(sealed, pair.privateKey, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    expect(JSON.parse(new TextDecoder().decode(opened.plaintext))).toEqual(secret);
    const other = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
    await expect(compactDecrypt(sealed, other.privateKey)).rejects.toThrow();
  });

  test('names its Kroker and the key it is for, and nothing of the secret', async () => {
    const sealed = await encryptCredential(secrets[0]!, { krokerId, publicKey });
    expect(parseSealedHeader(sealed)).toMatchObject({
      krokerId,
      kid: await calculateJwkThumbprint(publicKey),
    });
    expect(Buffer.from(sealed.split('.')[0]!, 'base64url').toString()).not.toContain('root');
  });

  test('cannot be moved to another Kroker', async () => {
    const sealed = await encryptCredential(secrets[0]!, { krokerId, publicKey });
    const [head, ...rest] = sealed.split('.');
    const header = JSON.parse(Buffer.from(head!, 'base64url').toString()) as object;
    const moved = [encode({ ...header, krokerId: krokerId.replace(/1$/, '2') }), ...rest].join('.');
    expect(parseSealedHeader(moved)).not.toBeNull();
    await expect(compactDecrypt(moved, pair.privateKey)).rejects.toThrow();
  });

  test('needs a key on the curve', async () => {
    const off = { ...publicKey, x: 'A'.repeat(43) };
    await expect(encryptCredential(secrets[0]!, { krokerId, publicKey: off })).rejects.toThrow();
  });
});

describe('what is no sealed credential', async () => {
  const sealed = await encryptCredential(secrets[0]!, { krokerId, publicKey });
  const [head, , nonce, text, tag] = sealed.split('.') as [string, string, string, string, string];
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>;
  const withHeader = (change: object) => [encode({ ...header, ...change }), '', nonce, text, tag].join('.');
  test.each([
    ['nothing', ''],
    ['plain text', 'password'],
    ['a signed token', `${head}.${text}.${tag}`],
    ['an encrypted key where there is none', [head, 'AAAA', nonce, text, tag].join('.')],
    ['a short nonce', [head, '', 'AAAA', text, tag].join('.')],
    ['a short tag', [head, '', nonce, text, 'AAAA'].join('.')],
    ['no cipher text', [head, '', nonce, '', tag].join('.')],
    ['a line end behind', `${sealed}\n`],
    ['a header that is no JSON', ['AAAA', '', nonce, text, tag].join('.')],
    ['a header that is no UTF-8', ['_-9_', '', nonce, text, tag].join('.')],
    ['wrapped keys', withHeader({ alg: 'ECDH-ES+A256KW' })],
    ['a shared secret', withHeader({ alg: 'dir' })],
    ['another cipher', withHeader({ enc: 'A128GCM' })],
    ['compression', withHeader({ zip: 'DEF' })],
    ['no key id', withHeader({ kid: undefined })],
    ['a Kroker that is no id', withHeader({ krokerId: 'x' })],
    ['too much of it', [head, '', nonce, 'A'.repeat(maxSealedLength), tag].join('.')],
  ])('%s', (_what, given) => {
    expect(parseSealedHeader(given)).toBeNull();
  });
});
