// CredSSP version 6 as a client (MS-CSSP): proves the password to the host and the host's TLS key to us, then
// delivers the account.
import { createHash, randomBytes } from 'node:crypto';
import { SessionError } from '../session-error.ts';
import { ByteReader, malformed } from './byte-reader.ts';
import { contextTag, encodeDer, readDer, readDerLength, readFields, tags } from './der.ts';
import { type NtlmAccount, NtlmClient, type NtlmSeal } from './ntlm.ts';

const version = 6;
/** With earlier versions, the key of the host is not bound by a hash. */
const leastVersion = 5;
const maxRequest = 64 * 1024;

export interface CredsspPeer {
  send(bytes: Uint8Array): void;
  /** The next bytes, at least one; rejects at the end of the connection. */
  receive(): Promise<Uint8Array>;
}

export interface TlsIdentity {
  /** `subjectPublicKey` of the host's certificate. */
  publicKey: Uint8Array;
  /** The whole certificate. */
  certificate: Uint8Array;
}

interface TsRequest {
  token?: Buffer;
  authInfo?: Buffer;
  publicKeyAuth?: Buffer;
  nonce?: Buffer;
}

/** Resolves after the account is sent; rejects with SIGN_IN_FAILED if the host refuses it. */
export async function signInWithCredssp(
  account: NtlmAccount,
  { publicKey, certificate }: TlsIdentity,
  peer: CredsspPeer,
): Promise<void> {
  const client = new NtlmClient(account);
  const receive = readRequests(peer);
  peer.send(encodeRequest({ token: client.negotiate() }));
  const challenge = await receive();
  if (!challenge.token) throw malformed('credssp.negoTokens');
  const { message, toServer, toClient } = client.authenticate(challenge.token, channelBindingOf(certificate));
  const nonce = randomBytes(32);
  const bound = toServer.seal(bindingHash('Client-To-Server', nonce, publicKey));
  peer.send(encodeRequest({ token: message, publicKeyAuth: bound, nonce }));
  const answer = await receive();
  checkServerBinding(answer.publicKeyAuth, toClient, bindingHash('Server-To-Client', nonce, publicKey));
  peer.send(encodeRequest({ authInfo: toServer.seal(encodeCredentials(account)) }));
}

function checkServerBinding(auth: Buffer | undefined, toClient: NtlmSeal, wanted: Buffer): void {
  if (!auth) throw malformed('credssp.pubKeyAuth');
  // Somebody else ends the TLS connection than the host that knows the password.
  if (!toClient.open(auth)?.equals(wanted))
    throw new SessionError('SIGN_IN_FAILED', { reason: 'KEY_NOT_BOUND' });
}

export function bindingHash(
  direction: 'Client-To-Server' | 'Server-To-Client',
  nonce: Uint8Array,
  publicKey: Uint8Array,
): Buffer {
  const label = Buffer.from(`CredSSP ${direction} Binding Hash\0`, 'latin1');
  return createHash('sha256').update(label).update(nonce).update(publicKey).digest();
}

/** MD5 of the structure `gss_channel_bindings` with the hash of the certificate (RFC 5929 section 4). */
export function channelBindingOf(certificate: Uint8Array): Buffer {
  const hash = createHash('sha256').update(certificate).digest();
  const data = Buffer.concat([Buffer.from('tls-server-end-point:', 'latin1'), hash]);
  const header = Buffer.alloc(20);
  header.writeUInt32LE(data.length, 16);
  return createHash('md5').update(header).update(data).digest();
}

function encodeCredentials({ domain, username, password }: NtlmAccount): Buffer {
  const octets = (text: string) => encodeDer(tags.octets, Buffer.from(text, 'utf16le'));
  const passwordCredentials = encodeDer(
    tags.sequence,
    encodeDer(contextTag(0), octets(domain)),
    encodeDer(contextTag(1), octets(username)),
    encodeDer(contextTag(2), octets(password)),
  );
  return encodeDer(
    tags.sequence,
    encodeDer(contextTag(0), encodeDer(tags.integer, Buffer.from([1]))),
    encodeDer(contextTag(1), encodeDer(tags.octets, passwordCredentials)),
  );
}

export function encodeRequest({ token, authInfo, publicKeyAuth, nonce }: TsRequest): Buffer {
  const octets = (number: number, bytes?: Uint8Array) =>
    bytes ? [encodeDer(contextTag(number), encodeDer(tags.octets, bytes))] : [];
  const tokens = token
    ? [encodeDer(contextTag(1), encodeDer(tags.sequence, encodeDer(tags.sequence, ...octets(0, token))))]
    : [];
  return encodeDer(
    tags.sequence,
    encodeDer(contextTag(0), encodeDer(tags.integer, Buffer.from([version]))),
    ...tokens,
    ...octets(2, authInfo),
    ...octets(3, publicKeyAuth),
    ...octets(5, nonce),
  );
}

export function parseRequest(bytes: Uint8Array): TsRequest {
  const fields = readFields(readDer(new ByteReader(bytes), tags.sequence, 'credssp'), 'credssp');
  const readValue = (number: number, tag: number, field: string) => {
    const value = fields.get(number);
    return value ? readDer(new ByteReader(value), tag, field) : undefined;
  };
  const [peerVersion = 0] = readValue(0, tags.integer, 'credssp.version') ?? [];
  // Whether the account was refused or its password has to be changed: either way it cannot sign in.
  const error = readValue(4, tags.integer, 'credssp.errorCode');
  if (error)
    throw new SessionError('SIGN_IN_FAILED', { status: `0x${error.toString('hex').padStart(8, '0')}` });
  if (peerVersion < leastVersion) throw new SessionError('SIGN_IN_FAILED', { reason: 'OLD_CREDSSP' });
  const tokens = readValue(1, tags.sequence, 'credssp.negoTokens');
  let token: Buffer | undefined;
  if (tokens) {
    const first = readFields(
      readDer(new ByteReader(tokens), tags.sequence, 'credssp.negoToken'),
      'credssp.negoToken',
    );
    token = readDer(new ByteReader(first.get(0) ?? Buffer.alloc(0)), tags.octets, 'credssp.negoToken');
  }
  const publicKeyAuth = readValue(3, tags.octets, 'credssp.pubKeyAuth');
  return { ...(token ? { token } : {}), ...(publicKeyAuth ? { publicKeyAuth } : {}) };
}

/** Requests may arrive in pieces; one never contains the beginning of the next, as they take turns. */
function readRequests(peer: CredsspPeer): () => Promise<TsRequest> {
  return async () => {
    let bytes = Buffer.alloc(0);
    for (;;) {
      bytes = Buffer.concat([bytes, await peer.receive()]);
      const total = requestLength(bytes);
      if (total !== null && (total > maxRequest || bytes.length > total)) throw malformed('credssp.length');
      if (bytes.length === total) return parseRequest(bytes);
    }
  };
}

/** Null while its length is not known. */
function requestLength(bytes: Buffer): number | null {
  const lengthBytes = bytes.length > 1 && bytes[1]! >= 0x80 ? 1 + (bytes[1]! & 0x7f) : 1;
  if (bytes.length < 1 + lengthBytes) return null;
  if (bytes[0] !== tags.sequence) throw malformed('credssp');
  const reader = new ByteReader(bytes.subarray(1));
  const length = readDerLength(reader, 'credssp.length');
  return 1 + reader.offset + length;
}
