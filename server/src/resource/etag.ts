// The tag of an item's version, and whether a caller who writes has seen that version.
import { Problem } from '@yagura/core/http/problem';

export function etagOf(version: string): string {
  return `"${Buffer.from(version).toString('base64url')}"`;
}

/** Refuses when the caller last saw another version (RFC 9110 section 13.1.1). */
export function assertVersionMatches(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const known = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!known.includes(etagOf(version))) throw new Problem('changed');
}
