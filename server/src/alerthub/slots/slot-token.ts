// Unguessable addresses of receive slots: part of a URL, or the local part of a mail address.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../common/secrets/server-secret.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';

/** Path before the token of a webhook slot. */
export const receivePath = '/receive/webhook';
/** Path to which `yagura-server receive-mail` posts mails; mail servers run that command. */
export const mailPath = '/receive/mail';

/** 32 letters and digits that are safe in mail addresses and case-insensitive. */
const mailAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Creates a token for a slot of this kind: 256 random bits in a URL, 160 in a mail address. */
export function newSlotToken(kind: string): string {
  if (kind !== 'email') return randomBytes(32).toString('base64url');
  return [...randomBytes(32)].map((byte) => mailAlphabet[byte % 32]).join('');
}

/** Stored form of a token: the hash used to look up the slot, and the sealed token. */
export function toStoredToken(
  sealing: Sealing,
  spaceId: string,
  endpoint: 'primary' | 'secondary',
  token: string,
): Record<string, string> {
  return {
    [`${endpoint}Token`]: slotTokenHash(token),
    [`${endpoint}TokenSealed`]: sealing.seal(spaceId, token),
  };
}

/** Unkeyed hash; tokens are random enough to need no key. */
export function slotTokenHash(token: string): string {
  return sha256(token).toString('base64url');
}

export function isSlotToken(token: string): boolean {
  return /^(?:[\w-]{43}|[a-z2-7]{32})$/.test(token);
}

const beforeToken = `${receivePath}/`;
/** Characters of a token shown to tell the addresses of a slot apart. */
const shownEnd = 4;

/** Masks the token in the URL stored with a message. Masked URLs stay unchanged. Done for each message, so without a pattern. */
export function maskedUrl(url: string): string {
  for (let at = url.indexOf(beforeToken); at >= 0; at = url.indexOf(beforeToken, at + 1)) {
    const start = at + beforeToken.length;
    let end = start;
    while (end < url.length && !isSegmentEnd(url[end]!)) end++;
    if (end === start) continue;
    const token = decodeSegment(url.slice(start, end)) ?? '';
    return url.slice(0, start) + maskedToken(token) + url.slice(end);
  }
  return url;
}

const isSegmentEnd = (character: string) => character === '/' || character === '?' || character === '#';

export function maskedToken(token: string): string {
  return `****${token.length >= 2 * shownEnd ? token.slice(-shownEnd) : ''}`;
}

/** Decodes a segment of a URL's path; undefined if its escapes are not valid. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * Returns the token of a mail address; ignores case, which senders may change, the host, which relays may
 * change, and a detail after a plus sign, with which senders tell their mails apart (RFC 5233).
 */
export function tokenOfAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const localPart = at < 0 ? address : address.slice(0, at);
  return localPart.split('+', 1)[0]!.toLowerCase();
}
