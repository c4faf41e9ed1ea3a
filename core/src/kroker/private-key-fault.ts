// Tells what cannot be a private key while it is entered: later, only the gateway can read it.
import type { MessageKey } from '../i18n/message-key.ts';

/** Version 2 of PuTTY's format is one that gateways read. */
const privateKeyStart = /^[ \t\uFEFF]*(-----BEGIN [A-Z ]*PRIVATE KEY-----|PuTTY-User-Key-File-2:)/m;
/** Lines of OpenSSH, PEM, and RFC 4716. */
const publicKeyStart =
  /^[ \t\uFEFF]*((ssh|ecdsa|sk-ssh|sk-ecdsa)-\S+ AAAA|-----BEGIN ([A-Z ]*PUBLIC KEY|CERTIFICATE)-----|---- BEGIN SSH2 PUBLIC KEY)/m;

/** The text of what is wrong, or null. Whether the key is complete and its passphrase fits, only the gateway tells. */
export function privateKeyFault(text: string): MessageKey | null {
  if (privateKeyStart.test(text)) return null;
  return publicKeyStart.test(text) ? 'stream.public-key' : 'stream.private-key-unreadable';
}
