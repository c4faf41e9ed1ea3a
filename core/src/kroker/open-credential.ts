// Opens credentials with a Kroker's private key.
import { type CryptoKey, importJWK } from 'jose';
import { z } from 'zod';
import { parseSealedHeader } from './encrypted-credential.ts';
import { decryptForKroker, keyThumbprint } from './kroker-jwe.ts';
import type { KrokerFile } from './machine-setup.ts';

const account = { username: z.string().max(1024) };
/** Hosts that a credential is for; the gateway refuses to use it at others. */
const hosts = z.object({
  /** Addresses, networks (CIDR) and host names; `*.example.com` matches every host below it. */
  networks: z.array(z.string().max(255)).max(1000),
  /** All ports if empty. */
  ports: z.array(z.int().min(1).max(65_535)).max(1000),
});

/** Without `hosts`, only the gateway's own settings limit where a credential is used. */
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
/** Secret with which a Kroker signs in at a destination: the plain text of a credential. */
export type CredentialSecret = z.output<typeof credentialSecret>;
export type OpenedCredential = CredentialSecret;

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
    thumbprint: await keyThumbprint(privateKey),
    privateKey: (await importJWK(privateKey, 'ECDH-ES')) as CryptoKey,
  };
}

/** Null if it was encrypted to another Kroker or key, was altered, or is no credential. */
export async function openCredential(sealed: string, key: KrokerKey): Promise<OpenedCredential | null> {
  const header = parseSealedHeader(sealed);
  if (header?.krokerId !== key.krokerId || header.kid !== key.thumbprint) return null;
  try {
    const { plaintext } = await decryptForKroker(sealed, key.privateKey);
    return credentialSecret.parse(JSON.parse(new TextDecoder().decode(plaintext)));
  } catch {
    return null;
  }
}
