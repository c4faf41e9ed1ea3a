// A connection to a desktop: agreed protection, TLS with a judged certificate, and the sign-in by this gateway.
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { OpenedCredential } from '@yagura/core/kroker/open-credential';
import { fingerprintOf } from '../../fingerprint.ts';
import { connectSocket, type Endpoint } from '../connect-socket.ts';
import { connectionErrorOf, SessionError } from '../session-error.ts';
import { type HostKeyJudge, keepKey } from '../ssh/judge-host-key.ts';
import { ByteReader } from './byte-reader.ts';
import { signInWithCredssp, type TlsIdentity } from './credssp.ts';
import { readDer, tags } from './der.ts';
import { judgeCertificate } from './judge-certificate.ts';
import type { NtlmAccount } from './ntlm.ts';
import { encodeConnectionRequest, parseConnectionConfirm, securityProtocols } from './x224.ts';

export interface RdpConnectOptions {
  endpoint: Endpoint;
  address: string;
  /** Null if the viewer signs in on the host's own screen. */
  credential: OpenedCredential | null;
  judge: HostKeyJudge;
  ignoresCertificate: boolean;
  signal: AbortSignal;
}

export interface RdpConnection {
  socket: TLSSocket;
  account: NtlmAccount | null;
  /** See `securityProtocols`. */
  securityProtocol: number;
  /** Fingerprint of the certificate, if it must stay the same. */
  hostKey: string | undefined;
}

/** Milliseconds for each stage that waits for the host. */
const stageMs = 20_000;
const maxConfirm = 1024;
const bitString = 0x03;

export async function connectRdp(options: RdpConnectOptions): Promise<RdpConnection> {
  const { endpoint, address, judge, ignoresCertificate, signal } = options;
  const account = accountOf(options.credential);
  const socket = await connectSocket(address, endpoint.port, signal);
  // An error that nobody waits for must not end this process.
  socket.on('error', () => undefined);
  let current: Socket | TLSSocket = socket;
  const stop = () => current.destroy(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const offered = securityProtocols.tls | (account ? securityProtocols.credssp : 0);
    socket.write(encodeConnectionRequest(offered));
    const securityProtocol = parseConnectionConfirm(await inTime(readConfirm(socket)), offered);
    const tls = await startTls(socket, endpoint.host);
    current = tls;
    // Node returns it only once.
    const certificate = tls.getPeerX509Certificate();
    if (!certificate) throw new SessionError('PROTOCOL', { reason: 'NO_CERTIFICATE' });
    const shown = shownCertificate(tls, certificate, endpoint.host);
    const verdict = await judgeCertificate(judge, shown, ignoresCertificate);
    if (account && securityProtocol === securityProtocols.credssp)
      await signIn(tls, account, identityOf(certificate));
    signal.throwIfAborted();
    if (verdict.isNew) await keepKey(judge, shown);
    const hostKey = verdict.isPinned ? shown.fingerprint : undefined;
    return { socket: tls, account, securityProtocol, hostKey };
  } catch (error) {
    current.destroy();
    signal.throwIfAborted();
    throw connectionErrorOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** `DOMAIN\user`, `user@domain` or `user`. */
export function accountOf(credential: OpenedCredential | null): NtlmAccount | null {
  if (!credential) return null;
  if (credential.credentialType !== 'password')
    throw new SessionError('SIGN_IN_FAILED', { reason: 'NO_PASSWORD' });
  const { username, password } = credential;
  const at = username.indexOf('\\');
  return { domain: username.slice(0, Math.max(at, 0)), username: username.slice(at + 1), password };
}

async function readConfirm(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    bytes = Buffer.concat([bytes, await receive(socket)]);
    const length = bytes.length >= 4 && bytes[0] === 3 ? bytes.readUInt16BE(2) : 0;
    if ((bytes.length >= 4 && (length < 11 || length > maxConfirm)) || (length > 0 && bytes.length > length))
      throw new SessionError('PROTOCOL', { reason: 'NO_RDP' });
    if (bytes.length === length) return bytes;
  }
}

/** The next bytes; rejects at the end of the connection. */
async function receive(socket: Socket): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read() as Buffer | null;
    if (bytes) return bytes;
    if (socket.readableEnded || socket.destroyed) throw closedError();
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}

async function startTls(socket: Socket, host: string): Promise<TLSSocket> {
  const tls = connectTls({
    socket,
    // The certificate is judged by its fingerprint.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
  });
  tls.on('error', () => undefined);
  await inTime(once(tls, 'secureConnect'));
  return tls;
}

function shownCertificate(tls: TLSSocket, certificate: X509Certificate, host: string) {
  const { publicKey, raw } = certificate;
  const bits = publicKey.asymmetricKeyDetails?.modulusLength;
  const algorithm = [publicKey.asymmetricKeyType ?? '', bits ?? ''].join(' ').trim();
  const isForHost =
    (isIP(host) === 0 ? certificate.checkHost(host.replace(/\.$/, '')) : certificate.checkIP(host)) !==
    undefined;
  return { algorithm, fingerprint: fingerprintOf(raw), isVerified: tls.authorized && isForHost };
}

async function signIn(tls: TLSSocket, account: NtlmAccount, identity: TlsIdentity): Promise<void> {
  let isChallenged = false;
  const peer = {
    send: (bytes: Uint8Array) => void tls.write(bytes),
    async receive() {
      const bytes = await receive(tls).catch((error) => {
        // Hosts refuse an account by closing the connection.
        throw isChallenged ? new SessionError('SIGN_IN_FAILED') : error;
      });
      isChallenged = true;
      return bytes;
    },
  };
  await inTime(signInWithCredssp(account, identity, peer));
}

function identityOf(certificate: X509Certificate): TlsIdentity {
  const info = new ByteReader(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  const content = new ByteReader(readDer(info, tags.sequence, 'certificate.key'));
  readDer(content, tags.sequence, 'certificate.algorithm');
  // The first byte counts unused bits.
  const publicKey = readDer(content, bitString, 'certificate.key').subarray(1);
  return { publicKey, certificate: certificate.raw };
}

/** Rejects with TIMEOUT after a while. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SessionError('TIMEOUT')), stageMs);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const closedError = () => new SessionError('UNREACHABLE', { reason: 'CONNECTION_CLOSED' });
