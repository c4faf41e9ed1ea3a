// Encryption of stream records by node:crypto: at once, without a turn in the thread pool, where files may be waiting.
import { type RecordCipher, recordOverhead } from './stream-cipher.ts';

interface Operation {
  update(bytes: Uint8Array): Uint8Array;
  final(): Uint8Array;
}

/** The part of node:crypto that is used; it is passed in, because browsers do not have it. */
export interface NodeCrypto {
  createCipheriv(
    algorithm: 'aes-256-gcm',
    key: Uint8Array,
    iv: Uint8Array,
  ): Operation & { getAuthTag(): Uint8Array };
  createDecipheriv(
    algorithm: 'aes-256-gcm',
    key: Uint8Array,
    iv: Uint8Array,
    options: { authTagLength: number },
  ): Operation & { setAuthTag(tag: Uint8Array): unknown };
}

export type NodeRecordCipher = RecordCipher<Uint8Array>;

const algorithm = 'aes-256-gcm';

export function nodeRecordCipher({
  createCipheriv,
  createDecipheriv,
}: NodeCrypto): (key: Uint8Array) => NodeRecordCipher {
  return (secret) => {
    const key = secret.slice();
    return {
      seal(iv, plaintext, headroom) {
        const cipher = createCipheriv(algorithm, key, iv);
        const body = cipher.update(plaintext);
        cipher.final();
        const bytes = new Uint8Array(headroom + body.length + recordOverhead);
        bytes.set(body, headroom);
        bytes.set(cipher.getAuthTag(), headroom + body.length);
        return bytes;
      },
      open(iv, record) {
        const length = record.length - recordOverhead;
        if (length < 0) throw new Error('the record is too short');
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: recordOverhead });
        decipher.setAuthTag(record.subarray(length));
        const plaintext = decipher.update(record.subarray(0, length));
        decipher.final();
        return plaintext;
      },
    };
  };
}
