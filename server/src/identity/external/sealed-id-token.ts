// The external provider's ID token on its way from the sign-in to the end of the session: sealed wherever it is kept.
import type { ServerSecret } from '../secrets/server-secret.ts';

const label = 'external ID token';

/** As it is kept with a sign-in under way. */
export function sealIdToken(secret: Pick<ServerSecret, 'seal'>, idToken: string): string {
  return secret.seal(idToken, label).toString('base64url');
}

/** The sealed token among what a sign-in has come to; undefined when the external provider had no part in it. */
export function getSealedIdToken(result: unknown): Buffer | undefined {
  const { vouched } = (result ?? {}) as { vouched?: unknown };
  return typeof vouched === 'string' ? Buffer.from(vouched, 'base64url') : undefined;
}

/** The ID token; null when it was sealed by another secret. */
export function openIdToken(secret: Pick<ServerSecret, 'open'>, sealed: Buffer): string | null {
  return secret.open(sealed, label);
}
