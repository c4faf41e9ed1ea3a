// Encryption of RTP and RTCP: AES_CM_128_HMAC_SHA1_80 (RFC 3711), one direction per object, without renewal of keys.
import { type Cipher, createCipheriv, hash, timingSafeEqual } from 'node:crypto';
import { rtpHeaderLength } from './rtp.ts';

/** Bytes of a master key and its salt, as they stand in a session description. */
export const masterKeyLength = 30;

const keyLength = 16;
const saltLength = 14;
const tagLength = 10;
const rtcpHeaderLength = 8;
/** Set in the index of an RTCP packet that is encrypted. */
const encryptedFlag = 0x8000_0000;
const windowSize = 64n;
/** Sources remembered at once; the oldest is forgotten. */
const maxSources = 16;

const labels = { rtp: [0, 1, 2], rtcp: [3, 4, 5] } as const;

const blockLength = 16;
/** Bytes that SHA-1 takes at once; the key of an HMAC is filled up to it. */
const hashBlockLength = 64;

interface SessionKeys {
  cipherKey: Buffer;
  authenticationKey: Buffer;
  salt: Buffer;
}

/**
 * Key stream of the 112-bit start value in the upper part of the counter (RFC 3711, 4.1.1). The cipher is one of
 * blocks that is made once: a new cipher for each packet would keep the garbage collector busy.
 */
export function keyStream(cipher: Cipher, start: Buffer, length: number): Buffer {
  const blocks = Buffer.alloc(Math.ceil(length / blockLength) * blockLength);
  for (let at = 0, count = 0; at < blocks.length; at += blockLength, count++) {
    start.copy(blocks, at, 0, saltLength);
    blocks.writeUInt16BE(count, at + saltLength);
  }
  return cipher.update(blocks).subarray(0, length);
}

export function blockCipher(key: Buffer): Cipher {
  return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
}

/** Keys of a session (RFC 3711, 4.3.1). */
export function deriveKeys(masterKey: Buffer, kind: keyof typeof labels): SessionKeys {
  if (masterKey.length !== masterKeyLength) throw new RangeError(`a master key has ${masterKeyLength} bytes`);
  const cipher = blockCipher(masterKey.subarray(0, keyLength));
  const derive = (label: number, length: number) => {
    const start = Buffer.from(masterKey.subarray(keyLength));
    start[7]! ^= label;
    return keyStream(cipher, start, length);
  };
  const [encryption, authentication, salt] = labels[kind];
  return {
    cipherKey: derive(encryption, keyLength),
    authenticationKey: derive(authentication, 20),
    salt: derive(salt, saltLength),
  };
}

/** Encryption and authentication with the keys of a session, in either direction. */
class Protection {
  private readonly cipher: Cipher;
  private readonly salt: Buffer;
  private readonly innerKey: Buffer;
  private readonly outerKey: Buffer;

  constructor(masterKey: Buffer, kind: keyof typeof labels) {
    const { cipherKey, authenticationKey, salt } = deriveKeys(masterKey, kind);
    this.cipher = blockCipher(cipherKey);
    this.salt = salt;
    this.innerKey = paddedKey(authenticationKey, 0x36);
    this.outerKey = paddedKey(authenticationKey, 0x5c);
  }

  /** Encrypts or decrypts what follows the header. */
  crypt(packet: Buffer, header: number, ssrc: number, rollovers: number, sequence: number): Buffer {
    const start = Buffer.alloc(saltLength);
    start.writeUInt32BE(ssrc, 4);
    start.writeUInt32BE(rollovers >>> 0, 8);
    start.writeUInt16BE(sequence, 12);
    for (let at = 0; at < saltLength; at++) start[at]! ^= this.salt[at]!;
    const result = Buffer.from(packet);
    const stream = keyStream(this.cipher, start, packet.length - header);
    for (let at = 0; at < stream.length; at++) result[header + at]! ^= stream[at]!;
    return result;
  }

  cryptRtcp(packet: Buffer, index: number): Buffer {
    return this.crypt(packet, rtcpHeaderLength, packet.readUInt32BE(4), index >>> 16, index & 0xffff);
  }

  /** HMAC of the parts, shortened. */
  tagOf(...parts: Buffer[]): Buffer {
    const inner = hash('sha1', Buffer.concat([this.innerKey, ...parts]), 'buffer');
    return hash('sha1', Buffer.concat([this.outerKey, inner]), 'buffer').subarray(0, tagLength);
  }

  isAuthentic(datagram: Buffer, ...parts: Buffer[]): boolean {
    return timingSafeEqual(this.tagOf(...parts), datagram.subarray(-tagLength));
  }
}

export class SrtpSender {
  private readonly rtp: Protection;
  private readonly rtcp: Protection;
  private rollovers = 0;
  private lastSequence = -1;
  private rtcpIndex = 0;

  constructor(masterKey: Buffer) {
    this.rtp = new Protection(masterKey, 'rtp');
    this.rtcp = new Protection(masterKey, 'rtcp');
  }

  /** Protects the packets of one source, in the order of their sequence numbers. */
  protect(packet: Buffer): Buffer {
    const header = rtpHeaderLength(packet);
    if (header === null) throw new TypeError('not an RTP packet');
    const sequence = packet.readUInt16BE(2);
    if (sequence < this.lastSequence) this.rollovers++;
    this.lastSequence = sequence;
    const body = this.rtp.crypt(packet, header, packet.readUInt32BE(8), this.rollovers, sequence);
    return Buffer.concat([body, this.rtp.tagOf(body, wordOf(this.rollovers))]);
  }

  protectRtcp(packet: Buffer): Buffer {
    const index = this.rtcpIndex;
    this.rtcpIndex = (index + 1) & 0x7fff_ffff;
    const body = Buffer.concat([this.rtcp.cryptRtcp(packet, index), wordOf(index | encryptedFlag)]);
    return Buffer.concat([body, this.rtcp.tagOf(body)]);
  }
}

/** The packets already received, as the highest index and one bit for each before it. */
class ReplayWindow {
  highest = -1;
  private bits = 0n;

  has(index: number): boolean {
    const age = this.highest - index;
    return age >= 0 && (age >= Number(windowSize) || (this.bits & (1n << BigInt(age))) !== 0n);
  }

  add(index: number): void {
    const step = index - this.highest;
    if (step > 0) {
      const kept =
        step >= Number(windowSize) ? 0n : BigInt.asUintN(Number(windowSize), this.bits << BigInt(step));
      this.bits = kept | 1n;
      this.highest = index;
    } else this.bits |= 1n << BigInt(-step);
  }
}

export class SrtpReceiver {
  private readonly rtp: Protection;
  private readonly rtcp: Protection;
  private readonly windows = new Map<number, ReplayWindow>();
  private readonly rtcpWindow = new ReplayWindow();

  constructor(masterKey: Buffer) {
    this.rtp = new Protection(masterKey, 'rtp');
    this.rtcp = new Protection(masterKey, 'rtcp');
  }

  /** The packet without protection; null when it is not authentic or was received before. */
  unprotect(datagram: Buffer): Buffer | null {
    if (datagram.length < 12 + tagLength) return null;
    const body = datagram.subarray(0, -tagLength);
    const header = rtpHeaderLength(body);
    if (header === null) return null;
    const sequence = body.readUInt16BE(2);
    const ssrc = body.readUInt32BE(8);
    const known = this.windows.get(ssrc);
    const rollovers = known ? rolloversOf(known.highest, sequence) : 0;
    const index = rollovers * 0x1_0000 + sequence;
    if (rollovers < 0 || known?.has(index)) return null;
    if (!this.rtp.isAuthentic(datagram, body, wordOf(rollovers))) return null;
    this.windowOf(ssrc).add(index);
    return this.rtp.crypt(body, header, ssrc, rollovers, sequence);
  }

  unprotectRtcp(datagram: Buffer): Buffer | null {
    if (datagram.length < rtcpHeaderLength + 4 + tagLength) return null;
    const body = datagram.subarray(0, -tagLength);
    const trailer = body.readUInt32BE(body.length - 4);
    const index = trailer & 0x7fff_ffff;
    if (this.rtcpWindow.has(index) || !this.rtcp.isAuthentic(datagram, body)) return null;
    this.rtcpWindow.add(index);
    const packet = body.subarray(0, -4);
    if (trailer < encryptedFlag) return packet;
    return this.rtcp.cryptRtcp(packet, index);
  }

  private windowOf(ssrc: number): ReplayWindow {
    let window = this.windows.get(ssrc);
    if (!window) {
      window = new ReplayWindow();
      this.windows.set(ssrc, window);
      if (this.windows.size > maxSources) this.windows.delete(this.windows.keys().next().value!);
    }
    return window;
  }
}

/** Rounds of the sequence number for which the packet is nearest to the highest received (RFC 3711, 3.3.1). */
function rolloversOf(highest: number, sequence: number): number {
  const rollovers = Math.floor(highest / 0x1_0000);
  const last = highest % 0x1_0000;
  if (sequence - last > 0x8000) return rollovers - 1;
  return last - sequence > 0x8000 ? rollovers + 1 : rollovers;
}

function wordOf(value: number): Buffer {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value >>> 0);
  return word;
}

function paddedKey(key: Buffer, pad: number): Buffer {
  const padded = Buffer.alloc(hashBlockLength, pad);
  for (let at = 0; at < key.length; at++) padded[at]! ^= key[at]!;
  return padded;
}
