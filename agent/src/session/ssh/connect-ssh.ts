// An ssh connection for a session: the host key is judged before anything secret is sent, then one sign-in.
import type { OpenedCredential } from '@yagura/core/kroker/open-credential';
import ssh2, { type Client } from 'ssh2';
import { fingerprintOf } from '../../fingerprint.ts';
import { hostKeyOrder, keyTypeOf, oneAttempt } from '../../ssh/sign-in.ts';
import { connectSocket, type Endpoint } from '../connect-socket.ts';
import { SessionError } from '../session-error.ts';
import { joinWrites } from './join-writes.ts';
import { type HostKeyJudge, judgeHostKey } from './judge-host-key.ts';

const { utils } = ssh2;

export interface SshConnectOptions {
  endpoint: Endpoint;
  address: string;
  credential: OpenedCredential;
  judge: HostKeyJudge;
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

export async function connectSsh(options: SshConnectOptions): Promise<SshConnection> {
  const { endpoint, address, credential, judge, serverAliveInterval, signal } = options;
  const account = accountOf(credential);
  const socket = await connectSocket(address, endpoint.port, signal);
  joinWrites(socket);
  const client = new ssh2.Client();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  let timer = setTimeout(() => fail(new SessionError('TIMEOUT')), stageMs);
  let hostKey = '';
  let verdict: { isNew: boolean } | undefined;
  const verify = async (key: Buffer): Promise<boolean> => {
    clearTimeout(timer);
    hostKey = fingerprintOf(key);
    try {
      verdict = await judgeHostKey(judge, { algorithm: keyTypeOf(key), fingerprint: hostKey });
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
      algorithms: { serverHostKey: hostKeyOrder() },
      hostVerifier: (key: Buffer, answer: (isAccepted: boolean) => void) => void verify(key).then(answer),
    });
    await Promise.race([ready, failed]);
    if (verdict?.isNew) await judge.file.add(endpoint, hostKey);
    return { client, hostKey };
  } catch (error) {
    client.destroy();
    signal.throwIfAborted();
    throw sessionErrorOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function accountOf(credential: OpenedCredential) {
  const { username } = credential;
  if (credential.credentialType === 'password') return { username, password: credential.password };
  const { privateKey, passphrase } = credential;
  if (utils.parseKey(privateKey, passphrase) instanceof Error)
    throw new SessionError('CREDENTIAL_UNREADABLE', { reason: 'PRIVATE_KEY' });
  return { username, privateKey, passphrase };
}

function sessionErrorOf(error: unknown): SessionError {
  if (error instanceof SessionError) return error;
  const { level, code } = error as { level?: string; code?: string };
  if (level === 'client-authentication') return new SessionError('SIGN_IN_FAILED');
  if (level === 'client-timeout') return new SessionError('TIMEOUT');
  // Other texts of the library may quote what the host sent.
  return new SessionError('PROTOCOL', typeof code === 'string' ? { reason: code } : {});
}
