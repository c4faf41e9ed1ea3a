// Encrypts a credential to its Kroker in the browser or terminal; the plain text never leaves it.
import { CompactEncrypt, calculateJwkThumbprint, importJWK } from 'jose';
import type { PublicKey } from './public-key.ts';

/** Hosts that a credential is for; the gateway refuses to use it at others. */
export interface CredentialHosts {
  /** Addresses, networks (CIDR) and host names; `*.example.com` matches every host below it. */
  networks: string[];
  /** All ports if empty. */
  ports: number[];
}

/** Secret with which a Kroker signs in at a destination. */
export type CredentialSecret = (
  | { credentialType: 'password'; username: string; password: string }
  | { credentialType: 'private-key'; username: string; privateKey: string; passphrase: string }
) & {
  /** Without it, only the gateway's own settings limit the hosts. */
  hosts?: CredentialHosts;
};

/**
 * Returns a compact JWE: ECDH-ES on P-256 with AES-256-GCM, bound to the Kroker and its key. Throws for a key
 * that is not on the curve.
 */
export async function encryptCredential(
  secret: CredentialSecret,
  to: { krokerId: string; publicKey: PublicKey },
): Promise<string> {
  const { kty, crv, x, y } = to.publicKey;
  const key = { kty, crv, x, y };
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(secret)))
    .setProtectedHeader({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      kid: await calculateJwkThumbprint(key),
      krokerId: to.krokerId,
    })
    .encrypt(await importJWK(key, 'ECDH-ES'));
}
