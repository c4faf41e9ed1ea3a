// Encrypted cookies (JWE: dir, A256GCM), split into several if larger than the browser limit.

import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { ConsoleContext } from '../context.ts';
import { parseCookies } from '../preferences/parse-cookies.ts';

/** Browsers reject cookies above 4,096 bytes including name and attributes (RFC 6265 section 6.1). */
const chunkSize = 3600;
const maxChunks = 5;

/**
 * Cookie for one purpose. Over https its name has the `__Host-` prefix, over http the port, since cookies
 * ignore ports.
 */
export interface SealedCookie {
  name: string;
  /**
   * Returns the value in the Cookie header; null if absent, forged, encrypted with another key or expired.
   */
  open(request: Request): Promise<unknown>;
  /** Returns the Set-Cookie lines for the value; `maxAge` in seconds. Throws if the value is too large. */
  seal(value: unknown, maxAge: number): Promise<string[]>;
  /** Returns the Set-Cookie lines that remove every part sent with the request. */
  clear(request: Request): string[];
}

export function sealedCookie(
  context: Pick<ConsoleContext, 'origin' | 'cookieSecret'>,
  purpose: string,
): SealedCookie {
  const origin = new URL(context.origin);
  const secure = origin.protocol === 'https:';
  const name = secure ? `__Host-yagura-${purpose}` : `yagura-${origin.port || '80'}-${purpose}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const key = new Uint8Array(hkdfSync('sha256', context.cookieSecret, origin.host, `cookie ${purpose}`, 32));
  const line = (index: number, value: string, maxAge: number) =>
    `${name}.${index}=${value}; ${attributes}; Max-Age=${maxAge}`;
  return {
    name,
    async open(request) {
      const chunks = cookieChunks(request, name);
      if (chunks.length === 0) return null;
      try {
        const { plaintext } = await compactDecrypt(chunks.join(''), key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        const { value, until } = JSON.parse(new TextDecoder().decode(plaintext));
        return Number(until) > Date.now() ? value : null;
      } catch {
        return null;
      }
    },
    async seal(value, maxAge) {
      const text = JSON.stringify({ value, until: Date.now() + maxAge * 1000 });
      const sealed = await new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key);
      const chunks = sealed.match(new RegExp(`.{1,${chunkSize}}`, 'g')) ?? [];
      if (chunks.length > maxChunks) throw new Error(`the ${purpose} cookie would be too large`);
      // Clears the next part, so that a shorter value is not read together with the tail of an older one.
      return Array.from({ length: Math.min(chunks.length + 1, maxChunks) }, (_, index) =>
        index < chunks.length ? line(index, chunks[index]!, maxAge) : line(index, '', 0),
      );
    },
    clear(request) {
      return cookieChunks(request, name).map((_, index) => line(index, '', 0));
    },
  };
}

function cookieChunks(request: Request, name: string): string[] {
  const cookies = parseCookies(request);
  const chunks: string[] = [];
  for (let index = 0; index < maxChunks; index += 1) {
    const part = cookies.get(`${name}.${index}`);
    if (!part) break;
    chunks.push(part);
  }
  return chunks;
}
