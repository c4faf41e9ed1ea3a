// Opens credentials with a Kroker's private key.
import { type CryptoKey, calculateJwkThumbprint, compactDecrypt, importJWK } from 'jose';
import { z } from 'zod';
import { parseSealedHeader } from './encrypted-credential.ts';
import type { KrokerFile } from './machine-setup.ts';

const account = { username: z.string().max(1024) };
const hosts = z.object({
  networks: z.array(z.string().max(255)).max(1000),
  ports: z.array(z.int().min(1).max(65_535)).max(1000),
});

/** Plain text of a credential; see `CredentialSecret`. */
const credentialSecret = z.discriminatedUnion('credentialType', [
  z.object({
    credentialType: z.literal('password'),
    ...account,
    password: z.string(),
    hosts: hosts.optional(),
  }),
  z.object({
    credentialType: z.literal('private-key'),
    ...account,
    privateKey: z.string(),
    passphrase: z.string(),
    hosts: hosts.optional(),
  }),
]);
export type OpenedCredential = z.output<typeof credentialSecret>;

/** A Kroker's identity with its private key ready for use. */
export interface KrokerKey {
  krokerId: string;
  thumbprint: string;
  privateKey: CryptoKey;
}

export async function importKrokerKey({
  krokerId,
  privateKey,
}: Pick<KrokerFile, 'krokerId' | 'privateKey'>): Promise<KrokerKey> {
  return {
    krokerId,
    thumbprint: await calculateJwkThumbprint(privateKey),
    privateKey: (await importJWK(privateKey, 'ECDH-ES')) as CryptoKey,
  };
}

/** Null if it was encrypted to another Kroker or key, was altered, or is no credential. */
export async function openCredential(sealed: string, key: KrokerKey): Promise<OpenedCredential | null> {
  const header = parseSealedHeader(sealed);
  if (header?.krokerId !== key.krokerId || header.kid !== key.thumbprint) return null;
  try {
    const { plaintext } = await compactDecrypt(sealed, key.privateKey, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return credentialSecret.parse(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch {
    return null;
  }
}
