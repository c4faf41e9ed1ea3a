// Encrypts a credential to its Kroker in the browser or terminal; the plain text never leaves it.
import { CompactEncrypt, calculateJwkThumbprint, importJWK } from 'jose';
import type { PublicKey } from './public-key.ts';

/** Secret with which a Kroker signs in at a destination. */
export type CredentialSecret =
  | { credentialType: 'password'; username: string; password: string }
  | { credentialType: 'private-key'; username: string; privateKey: string; passphrase: string };

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
