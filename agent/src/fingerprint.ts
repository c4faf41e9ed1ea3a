import { createHash } from 'node:crypto';

/** SHA-256 of a host key or certificate, as OpenSSH shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
