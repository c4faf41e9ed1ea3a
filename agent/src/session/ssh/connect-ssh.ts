// An ssh connection for a session: the host key is judged before anything secret is sent, then one sign-in.
import type { OpenedCredential } from '@yagura/core/kroker/open-credential';
import ssh2, { type Client, type ServerHostKeyAlgorithm } from 'ssh2';
import { fingerprintOf } from '../../fingerprint.ts';
import { hasNoCommonAlgorithm, hostKeyOrder, offeredAlgorithms } from '../../ssh/algorithms.ts';
import { readPrivateKey } from '../../ssh/private-key.ts';
import { type Account, keyTypeOf, oneAttempt } from '../../ssh/sign-in.ts';
import { connectSocket, type Endpoint } from '../connect-socket.ts';
import { connectionErrorOf, SessionError } from '../session-error.ts';
import { joinWrites } from './join-writes.ts';
import { type HostKeyJudge, judgeHostKey, keepKey, knownKeys, type ShownKey } from './judge-host-key.ts';

export interface SshConnectOptions {
  endpoint: Endpoint;
  address: string;
  credential: OpenedCredential;
  judge: HostKeyJudge;
  /** Whether to offer outdated algorithms, too. */
  isLegacy: boolean;
  /** Seconds between keepalive messages; 0 sends none. */
  serverAliveInterval: number;
  signal: AbortSignal;
}

export interface SshConnection {
  client: Client;
  /** Fingerprint of the host key. */
  hostKey: string;
}

/** Milliseconds for the exchange of keys, and for the sign-in; a question to a viewer comes on top. */
const stageMs = 20_000;
/** A keepalive message without an answer this many times ends the connection. */
const keepaliveCountMax = 3;

/**
 * A host may have keys of several types and shows one of them. It is asked for those of the known keys first. If the one
 * that it shows is not known, it is asked for other types, with a connection for each, before its key counts as changed.
 */
export async function connectSsh(options: SshConnectOptions): Promise<SshConnection> {
  const account = accountOf(options.credential);
  const known = await knownKeys(options.judge);
  const knownTypes = known.flatMap(({ algorithm }) => algorithm ?? []);
  const shownTypes: string[] = [];
  const { isLegacy } = options;
  let algorithms = hostKeyOrder({ knownTypes, isLegacy });
  let changed: SessionError | undefined;
  for (;;) {
    try {
      return await connectOnce(options, account, algorithms, shownTypes);
    } catch (error) {
      options.signal.throwIfAborted();
      // A host without a key of the types that are left ends the handshake.
      if (changed && (error as { level?: string }).level === 'handshake') throw changed;
      if (!(error instanceof SessionError) || error.code !== 'HOST_KEY_CHANGED') throw sessionErrorOf(error);
      changed ??= error;
    }
    const others = hostKeyOrder({ knownTypes, shownTypes, isLegacy });
    // The key may be of a type that was not asked for.
    if (others.length === 0 || others.length === algorithms.length) throw changed;
    algorithms = others;
  }
}

/** One connection that asks for keys of these algorithms. Adds the type of the key that the host shows. */
async function connectOnce(
  options: SshConnectOptions,
  account: Account,
  algorithms: readonly ServerHostKeyAlgorithm[],
  shownTypes: string[],
): Promise<SshConnection> {
  const { endpoint, address, judge, isLegacy, serverAliveInterval, signal } = options;
  const socket = await connectSocket(address, endpoint.port, signal);
  joinWrites(socket);
  const client = new ssh2.Client();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  let timer = setTimeout(() => fail(new SessionError('TIMEOUT')), stageMs);
  let shown: ShownKey | undefined;
  let isNew = false;
  const verify = async (key: Buffer): Promise<boolean> => {
    clearTimeout(timer);
    shown = { algorithm: keyTypeOf(key), fingerprint: fingerprintOf(key) };
    shownTypes.push(shown.algorithm);
    try {
      isNew = (await judgeHostKey(judge, shown)).isNew;
    } catch (error) {
      fail(error);
      return false;
    }
    timer = setTimeout(() => fail(new SessionError('TIMEOUT')), stageMs);
    return true;
  };
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  client.on('error', (error) => fail(error));
  client.on('close', () => fail(new SessionError('UNREACHABLE', { reason: 'CONNECTION_CLOSED' })));
  try {
    const ready = new Promise<void>((resolve) => client.once('ready', resolve));
    client.connect({
      sock: socket,
      username: account.username,
      authHandler: oneAttempt(account),
      readyTimeout: 0,
      keepaliveInterval: serverAliveInterval * 1000,
      keepaliveCountMax,
      algorithms: offeredAlgorithms(algorithms, isLegacy),
      hostVerifier: (key: Buffer, answer: (isAccepted: boolean) => void) => void verify(key).then(answer),
    });
    await Promise.race([ready, failed]);
    if (isNew) await keepKey(judge, shown!);
    return { client, hostKey: shown!.fingerprint };
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function accountOf(credential: OpenedCredential): Account {
  const { username } = credential;
  if (credential.credentialType === 'password') return { username, password: credential.password };
  const key = readPrivateKey(credential.privateKey, credential.passphrase);
  if (typeof key === 'string') throw new SessionError('CREDENTIAL_UNREADABLE', { reason: key });
  return { username, ...key };
}

function sessionErrorOf(error: unknown): SessionError {
  const { level, message } = error as { level?: string; message?: string };
  if (level === 'client-authentication') return new SessionError('SIGN_IN_FAILED');
  if (level === 'client-timeout') return new SessionError('TIMEOUT');
  if (hasNoCommonAlgorithm(error)) return new SessionError('PROTOCOL', { reason: 'NO_COMMON_ALGORITHM' });
  if (message === 'Connection lost before handshake')
    return new SessionError('UNREACHABLE', { reason: 'CONNECTION_CLOSED' });
  return connectionErrorOf(error);
}
