// Public key of a Kroker, to which credentials are encrypted.
import { z } from 'zod';
import * as field from '../resource/field.ts';

/** 32 bytes in base64url without padding: one coordinate of a point on P-256 (RFC 7518 section 6.2.1). */
const coordinate = () => z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** A P-256 public key as JWK (RFC 7517). */
export const publicKey = () =>
  field.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate(), y: coordinate() });
/** The text whose SHA-256 hash is the key's thumbprint (RFC 7638 section 3.2). */
export function canonicalKey({ crv, kty, x, y }: PublicKey): string {
  return JSON.stringify({ crv, kty, x, y });
}

export type PublicKey = z.output<ReturnType<typeof publicKey>>;
