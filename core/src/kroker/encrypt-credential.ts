// Encrypts a credential to its Kroker in the browser or terminal; the plain text never leaves it.
import { encryptToKroker } from './kroker-jwe.ts';
import type { CredentialSecret } from './open-credential.ts';
import type { PublicKey } from './public-key.ts';

/** Returns a compact JWE that is bound to the Kroker and its key. Throws for a key that is not on the curve. */
export function encryptCredential(
  secret: CredentialSecret,
  { krokerId, publicKey }: { krokerId: string; publicKey: PublicKey },
): Promise<string> {
  return encryptToKroker(new TextEncoder().encode(JSON.stringify(secret)), publicKey, { krokerId });
}
