// Encrypts the external provider's ID token for storage from sign-in to the end of the session.
import type { ServerSecret } from '../../common/secrets/server-secret.ts';

const label = 'external ID token';

/** Encrypts it for storage with a sign-in in progress. */
export function sealIdToken(secret: Pick<ServerSecret, 'seal'>, idToken: string): string {
  return secret.seal(idToken, label).toString('base64url');
}

/**
 * Extracts the encrypted token from a sign-in result; undefined when the external provider was not involved.
 */
export function getSealedIdToken(result: unknown): Buffer | undefined {
  const { vouched } = (result ?? {}) as { vouched?: unknown };
  return typeof vouched === 'string' ? Buffer.from(vouched, 'base64url') : undefined;
}

/** Decrypts the ID token; null when it was encrypted with another secret. */
export function openIdToken(secret: Pick<ServerSecret, 'open'>, sealed: Buffer): string | null {
  return secret.open(sealed, label);
}
