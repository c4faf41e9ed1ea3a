// Cookies whose value only this server can read or make: JWE (dir, A256GCM), split when larger than a browser takes.
import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { ConsoleContext } from '../context.ts';

/** Browsers refuse a cookie above 4,096 bytes, its name and attributes included (RFC 6265 section 6.1). */
const chunkSize = 3600;
const maxChunks = 5;

/** A cookie of that purpose; over https its name carries the `__Host-` prefix, over http the port (cookies ignore ports). */
export interface SealedCookie {
  name: string;
  /** The value in the Cookie header, or null when absent, forged, of another key or too old. */
  open(request: Request): Promise<unknown>;
  /** Set-Cookie lines that carry the value; `maxAge` in seconds. Throws when it is too large for cookies. */
  seal(value: unknown, maxAge: number): Promise<string[]>;
  /** Set-Cookie lines that remove every part which the request sent. */
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
      // A shorter value than before must not be read with the tail of the older one.
      return Array.from({ length: Math.min(chunks.length + 1, maxChunks) }, (_, index) =>
        index < chunks.length ? line(index, chunks[index]!, maxAge) : line(index, '', 0),
      );
    },
    clear(request) {
      return cookieChunks(request, name).map((_, index) => line(index, '', 0));
    },
  };
}

/** Values of a request's cookies by name; the first of equal names counts. */
export function parseCookies(request: Request): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const cut = pair.indexOf('=');
    const name = pair.slice(0, cut).trim();
    if (cut > 0 && !found.has(name)) found.set(name, pair.slice(cut + 1).trim());
  }
  return found;
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
