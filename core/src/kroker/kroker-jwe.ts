// Encrypts data to a Kroker's key and decrypts it: a compact JWE (RFC 7516) with ECDH-ES on P-256 and
// AES-256-GCM. The protected header binds the data to what it is for.
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt, importJWK, type KeyInput } from 'jose';
import type { PublicKey } from './public-key.ts';

/** RFC 7638 thumbprint, computed from the key alone: a thumbprint named by a server proves nothing. */
export function keyThumbprint({ kty, crv, x, y }: PublicKey): Promise<string> {
  return calculateJwkThumbprint({ kty, crv, x, y });
}

/** Throws for a key that is not on the curve. */
export async function encryptToKroker(
  plaintext: Uint8Array,
  publicKey: PublicKey,
  binding: Record<string, string | number>,
): Promise<string> {
  const { kty, crv, x, y } = publicKey;
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      kid: await keyThumbprint(publicKey),
      ...binding,
    })
    .encrypt(await importJWK({ kty, crv, x, y }, 'ECDH-ES'));
}

/** Throws for data that was altered or encrypted to another key or in another way. */
export function decryptForKroker(sealed: string, privateKey: KeyInput) {
  return compactDecrypt(sealed, privateKey, {
    keyManagementAlgorithms: ['ECDH-ES'],
    contentEncryptionAlgorithms: ['A256GCM'],
  });
}
