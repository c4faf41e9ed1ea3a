// Why a private key cannot be used. Part of it shows while the key is entered; later, only the gateway can read it.
import type { MessageKey } from '../i18n/message-key.ts';

/** By the codes with which gateways report it. */
export const privateKeyFaultTexts = {
  PUBLIC_KEY: 'stream.public-key',
  PRIVATE_KEY: 'stream.private-key-unreadable',
  PASSPHRASE_MISSING: 'stream.passphrase-missing',
  PASSPHRASE_WRONG: 'stream.passphrase-wrong',
} as const satisfies Record<string, MessageKey>;

export type PrivateKeyFault = keyof typeof privateKeyFaultTexts;

/** Of PuTTY's formats, gateways read version 2 with these types. */
const privateKeyStart =
  /^[ \t\uFEFF]*(-----BEGIN [A-Z ]*PRIVATE KEY-----|PuTTY-User-Key-File-2: ssh-(rsa|dss)\b)/m;
/** Lines of OpenSSH, PEM, and RFC 4716. */
const publicKeyStart =
  /^[ \t\uFEFF]*((ssh|ecdsa|sk-ssh|sk-ecdsa)-\S+ AAAA|-----BEGIN ([A-Z ]*PUBLIC KEY|CERTIFICATE)-----|---- BEGIN SSH2 PUBLIC KEY)/m;

/** What is wrong, or null. Whether the key is complete and its passphrase fits, only the gateway tells. */
export function privateKeyFault(text: string): PrivateKeyFault | null {
  if (privateKeyStart.test(text)) return null;
  return publicKeyStart.test(text) ? 'PUBLIC_KEY' : 'PRIVATE_KEY';
}
