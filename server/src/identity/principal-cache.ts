// Caches verified credentials for a few seconds, so that frequent callers are not looked up on every request.
import { sha256 } from '../common/secrets/server-secret.ts';

export interface Verified<T> {
  value: T;
  /** Milliseconds since the epoch at which the credential itself expires. */
  expiresAt: number;
}

export interface PrincipalCache<T> {
  /**
   * Returns the cached value or calls `verify`; concurrent calls with the same credential share one
   * verification.
   */
  get(credential: string, verify: () => Promise<Verified<T>>): Promise<T>;
  /** Clears the cache, including verifications in progress. */
  forget(): void;
}

interface Entry<T> {
  verified: Promise<Verified<T>>;
  until: number;
}

/** Holds at most `size` entries, each for at most `lifetime` milliseconds; failures are not cached. */
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
