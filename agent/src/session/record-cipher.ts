// Encryption of stream records by node:crypto: at once, without a turn in the thread pool, where files may be waiting.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { type RecordCipher, recordOverhead } from '@yagura/core/greac/stream/stream-cipher';

const algorithm = 'aes-256-gcm';

export function createRecordCipher(key: Uint8Array): RecordCipher {
  return {
    seal(iv, plaintext) {
      const cipher = createCipheriv(algorithm, key, iv);
      const body = cipher.update(plaintext);
      cipher.final();
      const record = new Uint8Array(body.length + recordOverhead);
      record.set(body);
      record.set(cipher.getAuthTag(), body.length);
      return record;
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
}
