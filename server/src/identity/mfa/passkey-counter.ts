// The signature counter of a passkey (WebAuthn Level 3, section 6.1.1). A counter that does not increase indicates a copied
// passkey, unless sign-ins that ran at the same time arrive in another order than the passkey signed them.

/** A sign-in with a passkey: the signed challenge and the counter that the passkey sent. */
export interface PasskeyUse {
  challenge: string;
  counter: number;
}

interface StoredUse extends PasskeyUse {
  /** The highest counter stored before. */
  before: number;
  /** When it was stored, in milliseconds since the Unix epoch. */
  at: number;
}

export interface PasskeyCounter {
  /** The highest counter so far; 0 if the passkey does not count. */
  counter: number;
  /** Oldest first. */
  recentUses: readonly StoredUse[];
}

/** `repeated`: the response was used before, as by a form that is sent twice. */
export type CounterVerdict = 'accepted' | 'repeated' | 'copied';

/**
 * More sign-ins than one user has in progress at once. For a challenge that is older than all of them, the counter
 * must exceed that before the oldest.
 */
const storedUses = 10;

/**
 * A passkey signs a challenge after it was issued. So its counter exceeds those of all uses that had been stored by then, and
 * differs from those stored since. `issuedAt` is in milliseconds; `synced` passkeys are copied between devices that may
 * count independently, so their counter proves nothing.
 */
export function judgeCounter(
  { counter, recentUses }: PasskeyCounter,
  use: PasskeyUse & { issuedAt: number },
  { synced }: { synced: boolean },
): CounterVerdict {
  if (recentUses.some(({ challenge }) => challenge === use.challenge)) return 'repeated';
  const counts = counter > 0 || use.counter > 0;
  if (synced || !counts) return 'accepted';
  const storedSince = recentUses.filter(({ at }) => at > use.issuedAt);
  const floor = storedSince[0]?.before ?? counter;
  const isUsed = storedSince.some((one) => one.counter === use.counter);
  return use.counter <= floor || isUsed ? 'copied' : 'accepted';
}

/** What to store after an accepted use. */
export function addUse(
  { counter, recentUses }: PasskeyCounter,
  { challenge, counter: used }: PasskeyUse,
  now: number,
): PasskeyCounter {
  const added = { challenge, counter: used, before: counter, at: now };
  return { counter: Math.max(counter, used), recentUses: [...recentUses, added].slice(-storedUses) };
}
