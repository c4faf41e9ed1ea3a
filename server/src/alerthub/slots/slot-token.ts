// The unguessable addresses of receive slots: part of a URL, or the name of a mailbox.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../../identity/secrets/server-secret.ts';
import type { Sealing } from '../../resource/sealing/sealed-fields.ts';

/** Before the token of a webhook slot. */
export const receivePath = '/receive/webhook';
/** For whatever already takes mails and hands them over: `yagura-server receive-mail`. */
export const mailPath = '/receive/mail';

/** 32 letters and digits that any mail system keeps as they are, in capitals or not. */
const mailAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new token for a slot of this kind: 256 random bits in a URL, 160 in a mail address. */
export function newSlotToken(kind: string): string {
  if (kind !== 'email') return randomBytes(32).toString('base64url');
  return [...randomBytes(32)].map((byte) => mailAlphabet[byte % 32]).join('');
}

/** What the store keeps of a token: a hash, by which the slot is found, and the token sealed. */
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

/** As of every token that is random enough to need no key. */
export function slotTokenHash(token: string): string {
  return sha256(token).toString('base64url');
}

export function isSlotToken(token: string): boolean {
  return /^(?:[\w-]{43}|[a-z2-7]{32})$/.test(token);
}

const inUrl = new RegExp(`(${receivePath}/)([^/?#]+)`);
/** Characters of a token by which people tell one address of a slot from another; the rest is for the sender alone. */
const shownEnd = 4;

/** What a message keeps of the URL that it came to. What was masked stays as it is. */
export function maskedUrl(url: string): string {
  return url.replace(inUrl, (_all, path: string, segment: string) => path + maskedToken(decoded(segment)));
}

export function maskedToken(token: string): string {
  return `****${token.length >= 2 * shownEnd ? token.slice(-shownEnd) : ''}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** The token of a mail address; senders may have changed its case, and whoever passes a mail on its host. */
export function tokenOfAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return (at < 0 ? address : address.slice(0, at)).toLowerCase();
}
