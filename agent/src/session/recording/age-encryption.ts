// Encrypts to an age recipient while the content arrives (https://age-encryption.org/v1). The library makes the header;
// the payload is encrypted by node:crypto, which takes a fraction of the time of the library's JavaScript.
import { createCipheriv, hkdfSync } from 'node:crypto';
import { Encrypter } from 'age-encryption';

/** The payload is encrypted in blocks of this size. */
const blockBytes = 64 * 1024;
const tagBytes = 16;
const nonceBytes = 16;

export class AgeEncryption {
  /** What the file begins with. */
  readonly header: Uint8Array;
  private readonly key: Uint8Array;
  private readonly block = Buffer.alloc(blockBytes);
  private used = 0;
  private blocks = 0;

  private constructor(header: Uint8Array, key: Uint8Array) {
    this.header = header;
    this.key = key;
  }

  /** Rejects for an invalid recipient. */
  static async begin(recipient: string): Promise<AgeEncryption> {
    let fileKey = new Uint8Array();
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    encrypter.addRecipient({
      wrapFileKey(key) {
        fileKey = key.slice();
        return [];
      },
    });
    const empty = await encrypter.encrypt(new Uint8Array());
    // The tag of the empty payload is left out: the nonce of its only block is used again.
    const header = empty.subarray(0, -tagBytes);
    const key = hkdfSync('sha256', fileKey, header.subarray(-nonceBytes), 'payload', 32);
    return new AgeEncryption(header, new Uint8Array(key));
  }

  /** Bytes of content in the blocks that were returned. */
  get encryptedBytes(): number {
    return this.blocks * blockBytes;
  }

  /** The blocks that have become complete. A full one waits for what follows, since the last one is marked. */
  add(bytes: Uint8Array): Uint8Array[] {
    const complete: Uint8Array[] = [];
    for (let from = 0; from < bytes.length; ) {
      if (this.used === blockBytes) {
        complete.push(...this.seal(false));
        this.blocks += 1;
        this.used = 0;
      }
      const piece = bytes.subarray(from, from + blockBytes - this.used);
      this.block.set(piece, this.used);
      this.used += piece.length;
      from += piece.length;
    }
    return complete;
  }

  /** The last block; nothing may be added after it. */
  end(): Uint8Array[] {
    return this.seal(true);
  }

  private seal(isLast: boolean): Uint8Array[] {
    // 11 bytes count the blocks, the last one marks the end.
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(this.blocks, 7);
    nonce[11] = isLast ? 1 : 0;
    const cipher = createCipheriv('chacha20-poly1305', this.key, nonce, { authTagLength: tagBytes });
    const body = cipher.update(this.block.subarray(0, this.used));
    cipher.final();
    return [body, cipher.getAuthTag()];
  }
}
