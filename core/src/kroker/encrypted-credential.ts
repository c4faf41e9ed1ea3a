// Format of an encrypted credential: a compact JWE (RFC 7516) that only its Kroker can decrypt.
import { z } from 'zod';

/** Maximum length of a sealed credential in characters; a 16,384-bit private key fits. */
export const maxSealedLength = 65_536;

/** Protected header of a sealed credential (RFC 7516 section 4, RFC 7518 section 4.6). */
const header = z.strictObject({
  alg: z.literal('ECDH-ES'),
  enc: z.literal('A256GCM'),
  epk: z.strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    y: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  }),
  /** RFC 7638 thumbprint of the Kroker's key. */
  kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Binds the credential to its Kroker, so that it cannot be used with another one. */
  krokerId: z.uuid(),
});

export type SealedHeader = z.output<typeof header>;

/** Header, no encrypted key (direct agreement), 12-byte nonce, ciphertext, 16-byte tag. */
const compact = /^([A-Za-z0-9_-]{1,4096})\.\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{1,65000}\.[A-Za-z0-9_-]{22}$/;

/** The header of a sealed credential; null if the text is invalid. */
export function parseSealedHeader(text: string): SealedHeader | null {
  const match = text.length <= maxSealedLength ? compact.exec(text) : null;
  if (!match) return null;
  try {
    const bytes = Uint8Array.from(atob(match[1]!.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    );
    const parsed = header.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
