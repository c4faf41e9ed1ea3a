// The algorithms that the agent offers to ssh hosts.
import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2';

/** In this order, so that a host shows the same key each time. */
const hostKeyAlgorithms: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/**
 * What old devices need: algorithms that RFC 9142 and RFC 8758 deprecate for their short keys, SHA-1 or CBC mode. A host
 * that has others uses those, because they are offered first.
 */
const legacyAlgorithms = {
  kex: [
    'diffie-hellman-group-exchange-sha1',
    'diffie-hellman-group14-sha1',
    'diffie-hellman-group1-sha1',
  ] as const,
  cipher: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc', '3des-cbc'] as const,
  hmac: ['hmac-sha1-96', 'hmac-md5', 'hmac-md5-96'] as const,
};

export interface HostKeyRequest {
  /** Types of the keys that are known. */
  knownTypes?: readonly string[];
  /** Types of the keys that the host has shown. */
  shownTypes?: readonly string[];
  /** The host is one of the `ssh.legacyHosts` of the settings. */
  isLegacy: boolean;
}

/**
 * The algorithms to ask a host for: those of the known key types first, as a host may have received a key of another
 * type since, and none of the types that it has shown.
 */
export function hostKeyOrder({
  knownTypes = [],
  shownTypes = [],
  isLegacy,
}: HostKeyRequest): ServerHostKeyAlgorithm[] {
  const isKnown = (algorithm: string) => knownTypes.includes(keyTypeOfAlgorithm(algorithm));
  return [...hostKeyAlgorithms, ...(isLegacy ? (['ssh-dss'] as const) : [])]
    .filter((algorithm) => !shownTypes.includes(keyTypeOfAlgorithm(algorithm)))
    .sort((a, b) => Number(isKnown(b)) - Number(isKnown(a)));
}

/** The offer with these host keys. */
export function offeredAlgorithms(
  serverHostKey: readonly ServerHostKeyAlgorithm[],
  isLegacy: boolean,
): Algorithms {
  if (!isLegacy) return { serverHostKey: [...serverHostKey] };
  const { kex, cipher, hmac } = legacyAlgorithms;
  const none = { prepend: [], remove: [] };
  return {
    serverHostKey: [...serverHostKey],
    kex: { ...none, append: [...kex] },
    cipher: { ...none, append: [...cipher] },
    hmac: { ...none, append: [...hmac] },
  };
}

/** Whether a connection failed because the host has none of the offered algorithms. */
export function hasNoCommonAlgorithm(error: unknown): boolean {
  const { level, message } = error as { level?: string; message?: string };
  return level === 'handshake' && message?.startsWith('Handshake failed: no matching') === true;
}

/** RSA keys sign by several algorithms (RFC 8332). */
function keyTypeOfAlgorithm(algorithm: string): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}
