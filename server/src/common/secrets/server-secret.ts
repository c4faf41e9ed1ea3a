// Derives the keys for cookies, keyed hashes and encryption at rest from the server's secret.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Keyed SHA-256, by which a stored value can be looked up but not read. */
export interface KeyedHash {
  keyedHash(text: string): Buffer;
}

export interface Encryption {
  /** AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. Opening requires the same `label`. */
  seal(text: string, label: string): Buffer;
  /** Null when it was encrypted under another secret or label, or was modified. */
  open(sealed: Buffer, label: string): string | null;
}

export interface ServerSecret extends KeyedHash, Encryption {
  /** Signs the provider's cookies. */
  cookieKey: string;
}

/** Derives all keys with HKDF-SHA-256 (RFC 5869) from a secret of at least 32 bytes. */
export function deriveSecret(secret: Uint8Array): ServerSecret {
  if (secret.length < 32) throw new Error('The secret of the server must have at least 32 bytes');
  const key = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `yagura identity ${purpose}`, 32));
  const hashKey = key('keyed hash');
  const sealKey = key('seal');
  return {
    cookieKey: key('cookies').toString('base64url'),
    keyedHash: (text) => createHmac('sha256', hashKey).update(text).digest(),
    seal(text, label) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(label));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, label) {
      try {
        const cipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, 12), {
          authTagLength: 16,
        });
        cipher.setAAD(Buffer.from(label)).setAuthTag(sealed.subarray(12, 28));
        return cipher.update(sealed.subarray(28), undefined, 'utf8') + cipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** SHA-256 of a token that has enough entropy itself. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
