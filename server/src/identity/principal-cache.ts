// Verified credentials, remembered for some seconds so that a busy caller is not looked up on every request.
import { sha256 } from './secrets/server-secret.ts';

export interface Verified<T> {
  value: T;
  /** Milliseconds since the epoch after which the credential itself is no longer good. */
  expiresAt: number;
}

export interface PrincipalCache<T> {
  /** The remembered value, or what `verify` gives; equal credentials that come together are verified once. */
  get(credential: string, verify: () => Promise<Verified<T>>): Promise<T>;
  /** Forgets everything, also what is being verified at this moment. */
  forget(): void;
}

interface Entry<T> {
  verified: Promise<Verified<T>>;
  until: number;
}

/** Keeps at most `size` entries, each for at most `lifetime` milliseconds; failures are not kept. */
export function createPrincipalCache<T>(options: {
  now(): number;
  lifetime: number;
  size: number;
}): PrincipalCache<T> {
  const entries = new Map<string, Entry<T>>();

  return {
    async get(credential, verify) {
      const key = sha256(credential).toString('base64');
      const known = entries.get(key);
      if (known && known.until > options.now()) return (await known.verified).value;
      const entry: Entry<T> = { verified: verify(), until: options.now() + options.lifetime };
      entries.delete(key);
      if (entries.size >= options.size) entries.delete(entries.keys().next().value!);
      entries.set(key, entry);
      try {
        const verified = await entry.verified;
        entry.until = Math.min(entry.until, verified.expiresAt);
        return verified.value;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    forget: () => entries.clear(),
  };
}
