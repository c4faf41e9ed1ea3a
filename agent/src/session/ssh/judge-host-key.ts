// Decides about the key that a host shows: known, new or changed.
import type { GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';
import type { Endpoint } from '../connect-socket.ts';
import { SessionError } from '../session-error.ts';
import type { HostKeyFile, KnownKey } from './host-keys.ts';

export type HostKeyRules = Extract<GatewayOrder, { type: 'open' }>['hostKey'];

export type ShownKey = Required<KnownKey>;

export interface HostKeyJudge {
  endpoint: Endpoint;
  rules: HostKeyRules;
  file: HostKeyFile;
  /** Asks the first viewer; false if it declines or nobody answers. */
  ask(key: ShownKey): Promise<boolean>;
}

/** Keys that were accepted for an endpoint. */
export async function knownKeys({
  endpoint,
  rules,
  file,
}: Pick<HostKeyJudge, 'endpoint' | 'rules' | 'file'>): Promise<KnownKey[]> {
  const stored = await usingFile(file.find(endpoint));
  const isStored = (pin: string) => stored.some(({ fingerprint }) => fingerprint === pin);
  return [...rules.pins.filter((pin) => !isStored(pin)).map((fingerprint) => ({ fingerprint })), ...stored];
}

/** Resolves if the key is accepted. `isNew` keys are kept after the sign-in. */
export async function judgeHostKey(
  { endpoint, rules, file, ask }: HostKeyJudge,
  key: ShownKey,
): Promise<{ isNew: boolean }> {
  const known = (await knownKeys({ endpoint, rules, file })).map(({ fingerprint }) => fingerprint);
  if (known.includes(key.fingerprint)) return { isNew: false };
  const params = { expected: known.join(' ').slice(0, 255), found: key.fingerprint };
  if (known.length > 0) throw new SessionError('HOST_KEY_CHANGED', params);
  if (rules.policy === 'refuse') throw new SessionError('HOST_KEY_UNKNOWN', params);
  if (rules.policy === 'ask' && !(await ask(key)))
    throw new SessionError('HOST_KEY_UNKNOWN', { ...params, reason: 'NOT_ACCEPTED' });
  return { isNew: true };
}

/** Keeps a key that was accepted. */
export function keepKey(
  { endpoint, file }: Pick<HostKeyJudge, 'endpoint' | 'file'>,
  key: ShownKey,
): Promise<void> {
  return usingFile(file.add(endpoint, key));
}

/** Without its file, for example on a full disk, the gateway cannot tell whether a key has changed. */
async function usingFile<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SessionError('SERVER_ERROR', { reason: 'HOST_KEY_FILE' }, error);
  }
}
