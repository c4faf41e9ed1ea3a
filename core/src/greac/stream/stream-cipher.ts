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

/** AES-256-GCM with one key; a record is the cipher text and its tag. `open` throws for an altered record. */
export interface RecordCipher {
  seal(iv: Uint8Array<ArrayBuffer>, plaintext: Uint8Array): Uint8Array | Promise<Uint8Array>;
  open(iv: Uint8Array<ArrayBuffer>, record: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** By the Web Crypto API, which every platform has. */
function webRecordCipher(key: Uint8Array): RecordCipher {
  const imported = crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  const run = async (name: 'encrypt' | 'decrypt', iv: Uint8Array<ArrayBuffer>, bytes: Uint8Array) =>
    new Uint8Array(
      await crypto.subtle[name]({ name: 'AES-GCM', iv }, await imported, bytes as Uint8Array<ArrayBuffer>),
    );
  return {
    seal: (iv, plaintext) => run('encrypt', iv, plaintext),
    open: (iv, record) => run('decrypt', iv, record),
  };
}

/** Encrypts and decrypts the records of one side, each in the order in which they are sent. */
export class StreamCipher {
  private sent = 0n;
  private received = 0n;
  private readonly keys: { sending: RecordCipher; receiving: RecordCipher };
  private sending: Promise<unknown> = Promise.resolve();
  private receiving: Promise<unknown> = Promise.resolve();

  constructor(
    secret: Uint8Array,
    side: StreamSide,
    createCipher: (key: Uint8Array) => RecordCipher = webRecordCipher,
  ) {
    const ofViewer = createCipher(secret.subarray(0, keyLength));
    const ofGateway = createCipher(secret.subarray(keyLength));
    this.keys =
      side === 'viewer'
        ? { sending: ofViewer, receiving: ofGateway }
        : { sending: ofGateway, receiving: ofViewer };
  }

  /** Resolves to the record; calls resolve in their order. */
  seal(plaintext: Uint8Array): Promise<Uint8Array> {
    const iv = nonce(this.sent++);
    const bytes = new Uint8Array(plaintext);
    const record = this.sending.then(() => this.keys.sending.seal(iv, bytes));
    this.sending = record;
    return record;
  }

  /** Resolves to the plain text; calls resolve in their order. Rejects for a record that was altered or moved. */
  open(record: Uint8Array): Promise<Uint8Array> {
    const iv = nonce(this.received++);
    const bytes = new Uint8Array(record);
    const plaintext = this.receiving.then(() => this.keys.receiving.open(iv, bytes));
    this.receiving = plaintext;
    return plaintext;
  }
}

function nonce(counter: bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setBigUint64(4, counter);
  return bytes;
}
