import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Decrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { hasPrograms } from '../../../test/has-programs.ts';
import { AgeEncryption } from './age-encryption.ts';

const block = 64 * 1024;
const age = '/usr/bin/age';
const hasAge = hasPrograms('encryption with age', [age]);

/** Content in which every byte tells its place. */
const contentOf = (length: number) =>
  Buffer.from(Uint32Array.from({ length }, (_, index) => index * 2654435761).buffer).subarray(0, length);

async function encrypt(recipient: string, pieces: readonly Uint8Array[]): Promise<Buffer> {
  const encryption = await AgeEncryption.begin(recipient);
  return Buffer.concat([
    encryption.header,
    ...pieces.flatMap((piece) => encryption.add(piece)),
    ...encryption.end(),
  ]);
}

async function decrypt(identity: string, file: Uint8Array): Promise<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Buffer.from(await decrypter.decrypt(new Uint8Array(file)));
}

test.each([0, 1, block - 1, block, block + 1, 3 * block, 3 * block + 5])(
  'the library decrypts %d bytes',
  async (length) => {
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const content = contentOf(length);
    expect((await decrypt(identity, await encrypt(recipient, [content]))).equals(content)).toBe(true);
    const pieces = Array.from({ length: Math.ceil(length / 10_000) }, (_, index) =>
      content.subarray(index * 10_000, (index + 1) * 10_000),
    );
    expect((await decrypt(identity, await encrypt(recipient, pieces))).equals(content)).toBe(true);
  },
);

test('a post-quantum recipient is served as well', async () => {
  const identity = await generateHybridIdentity();
  const content = contentOf(block + 1);
  const file = await encrypt(await identityToRecipient(identity), [content]);
  expect((await decrypt(identity, file)).equals(content)).toBe(true);
});

test.skipIf(!hasAge)('the program age decrypts it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-age-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const identity = await generateX25519Identity();
  writeFileSync(join(folder, 'key.txt'), `${identity}\n`, { mode: 0o600 });
  for (const length of [0, block, 5 * block + 7]) {
    const content = contentOf(length);
    const input = await encrypt(await identityToRecipient(identity), [content]);
    const output = execFileSync(age, ['--decrypt', '--identity', join(folder, 'key.txt')], {
      input,
      maxBuffer: 2 * length + 1,
    });
    expect(output.equals(content)).toBe(true);
  }
});

test('content that was altered, cut or continued is refused', async () => {
  const identity = await generateX25519Identity();
  const file = await encrypt(await identityToRecipient(identity), [contentOf(2 * block)]);
  const altered = Buffer.from(file);
  altered[altered.length - block]! ^= 1;
  const cut = file.subarray(0, -block - 16);
  for (const damaged of [altered, cut, Buffer.concat([file, file.subarray(-block)])])
    await expect(decrypt(identity, damaged)).rejects.toThrow();
});

test('every file has keys of its own', async () => {
  const recipient = await identityToRecipient(await generateX25519Identity());
  const [first, second] = await Promise.all([
    encrypt(recipient, [contentOf(100)]),
    encrypt(recipient, [contentOf(100)]),
  ]);
  expect(first.subarray(-116).equals(second.subarray(-116))).toBe(false);
});

test('an invalid recipient is refused', async () => {
  await expect(AgeEncryption.begin('age1broken')).rejects.toThrow();
});
