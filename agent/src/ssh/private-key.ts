// Private keys of accounts, in the formats in which people have them.
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PrivateKeyFault } from '@yagura/core/kroker/private-key-fault';
import ssh2 from 'ssh2';

export interface UsableKey {
  privateKey: string;
  /** Absent where the key was decrypted. */
  passphrase?: string;
}

/** The key in a format that the ssh library reads, which knows no PKCS #8, or why it is none. */
export function readPrivateKey(text: string, passphrase = ''): UsableKey | PrivateKeyFault {
  // Keys that were pasted may be indented, or follow empty lines; tools write more beside them into one file.
  const lines = text.replace(/^\uFEFF/, '').replace(/^[ \t]+|[ \t\r]+$/gm, '');
  const [block] = /^-----BEGIN ([A-Z ]*PRIVATE KEY)-----$.*?^-----END \1-----$/ms.exec(lines) ?? [];
  const privateKey = `${(block ?? lines).trim()}\n`;
  if (/^-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(privateKey)) return fromPkcs8(privateKey, passphrase);
  const own = passphrase === '' ? {} : { passphrase };
  const parsed = ssh2.utils.parseKey(privateKey, own.passphrase);
  if (!(parsed instanceof Error)) return parsed.isPrivateKey() ? { privateKey, ...own } : 'PUBLIC_KEY';
  if (!/passphrase|decrypt key/i.test(parsed.message)) return 'PRIVATE_KEY';
  return passphrase === '' ? 'PASSPHRASE_MISSING' : 'PASSPHRASE_WRONG';
}

function fromPkcs8(pem: string, passphrase: string): UsableKey | PrivateKeyFault {
  const isEncrypted = pem.includes('ENCRYPTED');
  if (isEncrypted && passphrase === '') return 'PASSPHRASE_MISSING';
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem', ...(isEncrypted ? { passphrase } : {}) });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_OSSL_BAD_DECRYPT') return 'PASSPHRASE_WRONG';
    // One wrong passphrase in 256 makes something that only looks decrypted.
    return isEncrypted && isWholeAes(pem) ? 'PASSPHRASE_WRONG' : 'PRIVATE_KEY';
  }
  const privateKey = converted(key);
  if (privateKey === undefined || ssh2.utils.parseKey(privateKey) instanceof Error) return 'PRIVATE_KEY';
  return { privateKey };
}

/** In DER, how the identifiers of AES begin (2.16.840.1.101.3.4.1). */
const aesIdentifier = Buffer.from('6086480165030401', 'hex');

/** Whether nothing is missing, and the cipher is one that every passphrase is tried with. */
function isWholeAes(pem: string): boolean {
  if (!pem.includes('-----END ENCRYPTED PRIVATE KEY-----')) return false;
  const der = Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64');
  const lengthBytes = der[1]! > 0x80 ? der[1]! - 0x80 : 0;
  if (der[0] !== 0x30 || lengthBytes > 4 || der.length < 2 + lengthBytes) return false;
  const length = lengthBytes === 0 ? der[1]! : der.readUIntBE(2, lengthBytes);
  return der.length === 2 + lengthBytes + length && der.includes(aesIdentifier);
}

function converted(key: KeyObject): string | undefined {
  if (key.asymmetricKeyType === 'rsa') return String(key.export({ type: 'pkcs1', format: 'pem' }));
  if (key.asymmetricKeyType === 'ec') return String(key.export({ type: 'sec1', format: 'pem' }));
  return key.asymmetricKeyType === 'ed25519' ? openSshEd25519(key) : undefined;
}

/** The format of OpenSSH (PROTOCOL.key), the only one for these keys that the ssh library reads. */
function openSshEd25519(key: KeyObject): string {
  const { x, d } = key.export({ format: 'jwk' });
  const publicKey = Buffer.from(x!, 'base64url');
  const type = field('ssh-ed25519');
  const publicPart = Buffer.concat([type, field(publicKey)]);
  // Two equal numbers, which show whether a key was decrypted well; here it never was encrypted.
  const check = Buffer.alloc(8);
  const secret = field(Buffer.concat([Buffer.from(d!, 'base64url'), publicKey]));
  const unpadded = Buffer.concat([check, publicPart, secret, field('')]);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (unpadded.length % 8)) % 8));
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    Buffer.from([0, 0, 0, 1]),
    field(publicPart),
    field(Buffer.concat([unpadded, padding])),
  ]);
  const lines = body.toString('base64').match(/.{1,70}/g)!;
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
