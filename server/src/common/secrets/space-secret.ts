// Derives a separate secret per space, so that nothing encrypted, signed or hashed in one space is valid in
// another.
import { hkdfSync } from 'node:crypto';

/** HKDF-SHA-256 (RFC 5869); the space at the server's own address uses the installation secret itself. */
export function spaceSecret(
  installation: Uint8Array,
  space: { spaceId: string; host: string | null },
): Uint8Array {
  if (space.host === null) return installation;
  return new Uint8Array(hkdfSync('sha256', installation, '', `yagura space ${space.spaceId}`, 32));
}
