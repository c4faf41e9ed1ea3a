// NTLMv2 as a client (MS-NLMP): three messages, a message integrity code, and keys to seal what follows.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SessionError } from '../session-error.ts';
import { ByteReader, malformed } from './byte-reader.ts';
import { md4 } from './md4.ts';
import { Rc4 } from './rc4.ts';

export interface NtlmAccount {
  /** Empty if the host is to find the account. */
  domain: string;
  username: string;
  password: string;
}

const signature = Buffer.from('NTLMSSP\0', 'latin1');
/** Unicode, request target, sign, seal, NTLM, always sign, extended security, target info, version, 128, key exchange, 56. */
const clientFlags = 0xe2888235;
/** Unicode, sign, seal, extended security, 128, key exchange. */
const requiredFlags = 0x60080031;
const version = Buffer.from([10, 0, 0x61, 0x4a, 0, 0, 0, 15]);
const avIds = { end: 0, flags: 6, timestamp: 7, channelBindings: 10 } as const;
const hasMic = 2;
/** Milliseconds between 1601 and 1970. */
const fileTimeEpochMs = 11_644_473_600_000n;

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const hmac = (key: Uint8Array, ...data: Uint8Array[]) => {
  const mac = createHmac('md5', key);
  for (const bytes of data) mac.update(bytes);
  return mac.digest();
};
const md5 = (...data: Uint8Array[]) => {
  const hash = createHash('md5');
  for (const bytes of data) hash.update(bytes);
  return hash.digest();
};

/** Key of an account (`NTOWFv2`). */
export function responseKey({ domain, username, password }: NtlmAccount): Buffer {
  return hmac(md4(utf16(password)), utf16(username.toUpperCase() + domain));
}

/** Proof of the password and the key of the session. */
export function proofOf(
  key: Uint8Array,
  serverChallenge: Uint8Array,
  { time, clientChallenge, targetInfo }: { time: Buffer; clientChallenge: Uint8Array; targetInfo: Buffer },
): { response: Buffer; sessionKey: Buffer } {
  const blob = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    time,
    clientChallenge,
    Buffer.alloc(4),
    targetInfo,
    Buffer.alloc(4),
  ]);
  const proof = hmac(key, serverChallenge, blob);
  return { response: Buffer.concat([proof, blob]), sessionKey: hmac(key, proof) };
}

/** Seals messages in one direction (`GSS_WrapEx` with extended session security and key exchange). */
export class NtlmSeal {
  private readonly signingKey: Buffer;
  private readonly cipher: Rc4;
  private sequence = 0;

  constructor(exportedKey: Uint8Array, direction: 'client-to-server' | 'server-to-client') {
    const keyOf = (use: string) =>
      md5(exportedKey, Buffer.from(`session key to ${direction} ${use} key magic constant\0`, 'latin1'));
    this.signingKey = keyOf('signing');
    this.cipher = new Rc4(keyOf('sealing'));
  }

  seal(message: Uint8Array): Buffer {
    const sealed = this.cipher.apply(message);
    return Buffer.concat([this.sign(message), sealed]);
  }

  /** Null if it was altered, or is no sealed message. */
  open(sealed: Uint8Array): Buffer | null {
    if (sealed.length < 16) return null;
    const message = this.cipher.apply(sealed.subarray(16));
    return this.sign(message).equals(sealed.subarray(0, 16)) ? message : null;
  }

  private sign(message: Uint8Array): Buffer {
    const sequence = Buffer.alloc(4);
    sequence.writeUInt32LE(this.sequence++);
    const checksum = this.cipher.apply(hmac(this.signingKey, sequence, message).subarray(0, 8));
    return Buffer.concat([Buffer.from([1, 0, 0, 0]), checksum, sequence]);
  }
}

/** One sign-in. */
export class NtlmClient {
  private readonly account: NtlmAccount;
  private readonly random: (length: number) => Buffer;
  private readonly now: () => number;
  private readonly negotiation: Buffer;

  constructor(account: NtlmAccount, random = randomBytes as (length: number) => Buffer, now = Date.now) {
    this.account = account;
    this.random = random;
    this.now = now;
    this.negotiation = Buffer.concat([
      ...[signature, Buffer.from([1, 0, 0, 0]), uint32(clientFlags)],
      ...[Buffer.alloc(16), version],
    ]);
  }

  negotiate(): Buffer {
    return this.negotiation;
  }

  /** Answers the host's challenge. `channelBinding` ties the sign-in to the TLS connection. */
  authenticate(
    challenge: Uint8Array,
    channelBinding: Uint8Array,
  ): { message: Buffer; toServer: NtlmSeal; toClient: NtlmSeal } {
    const { flags, serverChallenge, targetInfo } = parseChallenge(challenge);
    if ((flags & requiredFlags) >>> 0 !== requiredFlags)
      throw new SessionError('SIGN_IN_FAILED', { reason: 'WEAK_NTLM' });
    const { domain, username } = this.account;
    const time = targetInfo.get(avIds.timestamp) ?? fileTime(this.now());
    const own = new Map(targetInfo)
      .set(avIds.flags, uint32((targetInfo.get(avIds.flags)?.readUInt32LE() ?? 0) | hasMic))
      .set(avIds.channelBindings, Buffer.from(channelBinding));
    const { response, sessionKey } = proofOf(responseKey(this.account), serverChallenge, {
      ...{ time, clientChallenge: this.random(8), targetInfo: encodeTargetInfo(own) },
    });
    const exportedKey = this.random(16);
    const fields = [
      ...[Buffer.alloc(24), response, utf16(domain), utf16(username), Buffer.alloc(0)],
      new Rc4(sessionKey).apply(exportedKey),
    ];
    const message = encodeAuthenticate(fields, (flags & clientFlags) >>> 0);
    hmac(exportedKey, this.negotiation, challenge, message).copy(message, micOffset);
    return {
      message,
      toServer: new NtlmSeal(exportedKey, 'client-to-server'),
      toClient: new NtlmSeal(exportedKey, 'server-to-client'),
    };
  }
}

const micOffset = 72;
const authenticateHeader = 88;

/** The code of the message's integrity is left empty. */
function encodeAuthenticate(fields: readonly Buffer[], flags: number): Buffer {
  let offset = authenticateHeader;
  const places = fields.map(({ length }) => {
    const place = Buffer.alloc(8);
    place.writeUInt16LE(length, 0);
    place.writeUInt16LE(length, 2);
    place.writeUInt32LE(offset, 4);
    offset += length;
    return place;
  });
  const header = Buffer.concat([signature, Buffer.from([3, 0, 0, 0]), ...places, uint32(flags), version]);
  return Buffer.concat([header, Buffer.alloc(authenticateHeader - header.length), ...fields]);
}

export function parseChallenge(message: Uint8Array) {
  const reader = new ByteReader(message);
  reader.expect([...signature, 2, 0, 0, 0], 'ntlm.challenge');
  reader.take(8, 'ntlm.targetName');
  const flags = reader.u32le('ntlm.flags');
  const serverChallenge = Buffer.from(reader.take(8, 'ntlm.serverChallenge'));
  reader.take(8, 'ntlm.reserved');
  const length = reader.u16le('ntlm.targetInfo');
  reader.take(2, 'ntlm.targetInfo');
  const offset = reader.u32le('ntlm.targetInfo');
  if (offset + length > message.length) throw malformed('ntlm.targetInfo');
  return { flags, serverChallenge, targetInfo: parseTargetInfo(message.subarray(offset, offset + length)) };
}

function parseTargetInfo(bytes: Uint8Array): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  const reader = new ByteReader(bytes);
  while (reader.left > 0) {
    const id = reader.u16le('ntlm.avId');
    const value = Buffer.from(reader.take(reader.u16le('ntlm.avLength'), 'ntlm.avValue'));
    if (id === avIds.end) return found;
    if (id === avIds.flags && value.length !== 4) throw malformed('ntlm.avFlags');
    if (id === avIds.timestamp && value.length !== 8) throw malformed('ntlm.avTimestamp');
    found.set(id, value);
  }
  return found;
}

function encodeTargetInfo(values: Map<number, Buffer>): Buffer {
  const pairs = [...values, [avIds.end, Buffer.alloc(0)] as const].flatMap(([id, value]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(id, 0);
    head.writeUInt16LE(value.length, 2);
    return [head, value];
  });
  return Buffer.concat(pairs);
}

function fileTime(ms: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE((BigInt(ms) + fileTimeEpochMs) * 10_000n);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
