// Agents' tokens are kept as hashes: the store gives nobody a token.
import { createHash } from 'node:crypto';

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
