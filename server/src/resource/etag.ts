// Creates ETags from item versions and checks If-Match.
import { Problem } from '@yagura/core/http/problem';

export function etagOf(version: string): string {
  return `"${Buffer.from(version).toString('base64url')}"`;
}

/** Throws when the caller's version is outdated (RFC 9110 section 13.1.1). */
export function assertVersionMatches(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const known = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!known.includes(etagOf(version))) throw new Problem('changed');
}
