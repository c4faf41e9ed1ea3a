// Tells what cannot be a private key while it is entered: later, only the gateway can read it.

export type PrivateKeyFault = 'public-key' | 'unreadable';

/** Of PuTTY's formats, gateways read version 2 with these types. */
const privateKeyStart =
  /^[ \t\uFEFF]*(-----BEGIN [A-Z ]*PRIVATE KEY-----|PuTTY-User-Key-File-2: ssh-(rsa|dss)\b)/m;
/** Lines of OpenSSH, PEM, and RFC 4716. */
const publicKeyStart =
  /^[ \t\uFEFF]*((ssh|ecdsa|sk-ssh|sk-ecdsa)-\S+ AAAA|-----BEGIN ([A-Z ]*PUBLIC KEY|CERTIFICATE)-----|---- BEGIN SSH2 PUBLIC KEY)/m;

/** What is wrong, or null. Whether the key is complete and its passphrase fits, only the gateway tells. */
export function privateKeyFault(text: string): PrivateKeyFault | null {
  if (privateKeyStart.test(text)) return null;
  return publicKeyStart.test(text) ? 'public-key' : 'unreadable';
}
