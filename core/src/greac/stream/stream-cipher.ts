// End-to-end encryption between a viewer and the gateway: the server relays records that it cannot read.
// The viewer makes 64 random bytes and encrypts them to the gateway's key. The first 32 are the AES-256-GCM key
// of what the viewer sends, the others that of what the gateway sends. Nonces count records from 0.
import type { KeyInput } from 'jose';
import { z } from 'zod';
import { decryptForKroker, encryptToKroker } from '../../kroker/kroker-jwe.ts';
import type { PublicKey } from '../../kroker/public-key.ts';

export const streamSecretLength = 64;
const keyLength = streamSecretLength / 2;
/** Bytes that encryption adds to a record. */
export const recordOverhead = 16;
/** How long after its creation a gateway accepts an encrypted stream secret, in milliseconds. */
export const streamSecretLifetimeMs = 60_000;

/** What a stream secret is bound to; all of it is in the protected header. */
export const streamBinding = z.object({
  krokerId: z.uuid(),
  sessionId: z.uuid(),
  viewerId: z.uuid(),
  /** Seconds since 1970 after which the gateway refuses it (RFC 7519 section 4.1.4). */
  exp: z.int(),
});
export type StreamBinding = z.output<typeof streamBinding>;

/** Encrypts a stream secret to the gateway: a compact JWE like that of a credential. */
export function sealStreamSecret(
  secret: Uint8Array,
  binding: StreamBinding,
  publicKey: PublicKey,
): Promise<string> {
  return encryptToKroker(secret, publicKey, binding);
}

/** Opens a stream secret with the gateway's private key; null if it is altered, or bound to something else. */
export async function openStreamSecret(
  sealed: string,
  expected: Omit<StreamBinding, 'exp'> & { now: number },
  privateKey: KeyInput,
): Promise<Uint8Array | null> {
  try {
    const { plaintext, protectedHeader } = await decryptForKroker(sealed, privateKey);
    const bound = streamBinding.parse(protectedHeader);
    const { krokerId, sessionId, viewerId, now } = expected;
    const isMatch =
      bound.krokerId === krokerId && bound.sessionId === sessionId && bound.viewerId === viewerId;
    const isValid = bound.exp * 1000 > now && bound.exp * 1000 <= now + 2 * streamSecretLifetimeMs;
    return isMatch && isValid && plaintext.length === streamSecretLength ? plaintext : null;
  } catch {
    return null;
  }
}

export type StreamSide = 'viewer' | 'gateway';

/** What a cipher returns: at once by node:crypto, later by the Web Crypto API. */
export type CipherResult = Uint8Array | Promise<Uint8Array>;

/**
 * AES-256-GCM with one key; a record is the cipher text and its tag. `open` throws or rejects for an altered record.
 * Results come in the order of the calls, and the bytes may change after a call.
 */
export interface RecordCipher<Result extends CipherResult> {
  /** The record after as many empty bytes. */
  seal(iv: Uint8Array<ArrayBuffer>, plaintext: Uint8Array, headroom: number): Result;
  open(iv: Uint8Array<ArrayBuffer>, record: Uint8Array): Result;
}

/** By the Web Crypto API, which every platform has. */
export function webRecordCipher(key: Uint8Array): RecordCipher<Promise<Uint8Array>> {
  const imported = crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  const inOrder = (name: 'encrypt' | 'decrypt') => {
    let last: Promise<unknown> = Promise.resolve();
    return (iv: Uint8Array<ArrayBuffer>, input: Uint8Array): Promise<Uint8Array> => {
      const bytes = new Uint8Array(input);
      const result = last.then(
        async () => new Uint8Array(await crypto.subtle[name]({ name: 'AES-GCM', iv }, await imported, bytes)),
      );
      last = result;
      return result;
    };
  };
  const [encrypt, open] = [inOrder('encrypt'), inOrder('decrypt')];
  return {
    async seal(iv, plaintext, headroom) {
      const record = await encrypt(iv, plaintext);
      if (headroom === 0) return record;
      const bytes = new Uint8Array(headroom + record.length);
      bytes.set(record, headroom);
      return bytes;
    },
    open,
  };
}

/** Encrypts and decrypts the records of one side, each in the order in which they are sent. */
export class StreamCipher<Result extends CipherResult> {
  private sent = 0n;
  private received = 0n;
  private readonly sending: RecordCipher<Result>;
  private readonly receiving: RecordCipher<Result>;

  constructor(secret: Uint8Array, side: StreamSide, createCipher: (key: Uint8Array) => RecordCipher<Result>) {
    const ofViewer = createCipher(secret.subarray(0, keyLength));
    const ofGateway = createCipher(secret.subarray(keyLength));
    this.sending = side === 'viewer' ? ofViewer : ofGateway;
    this.receiving = side === 'viewer' ? ofGateway : ofViewer;
  }

  /** The record after `headroom` empty bytes, such as those of a frame's header. */
  seal(plaintext: Uint8Array, headroom = 0): Result {
    return this.sending.seal(nonce(this.sent++), plaintext, headroom);
  }

  /** Throws or rejects for a record that was altered or moved. */
  open(record: Uint8Array): Result {
    return this.receiving.open(nonce(this.received++), record);
  }
}

function nonce(counter: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setBigUint64(4, counter);
  return bytes;
}
