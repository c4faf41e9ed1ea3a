// Encryption of RTP and RTCP: AES_CM_128_HMAC_SHA1_80 (RFC 3711), one direction per object, without renewal of keys.
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
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

interface SessionKeys {
  cipherKey: Buffer;
  authenticationKey: Buffer;
  salt: Buffer;
}

/** Key stream of a key and the 112-bit start value in the upper part of the counter (RFC 3711, 4.1.1). */
export function keyStream(key: Buffer, start: Buffer, length: number): Buffer {
  const counter = Buffer.alloc(16);
  start.copy(counter, 0, 0, saltLength);
  return createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(length));
}

/** Keys of a session (RFC 3711, 4.3.1). */
export function deriveKeys(masterKey: Buffer, kind: keyof typeof labels): SessionKeys {
  if (masterKey.length !== masterKeyLength) throw new RangeError(`a master key has ${masterKeyLength} bytes`);
  const derive = (label: number, length: number) => {
    const start = Buffer.from(masterKey.subarray(keyLength));
    start[7]! ^= label;
    return keyStream(masterKey.subarray(0, keyLength), start, length);
  };
  const [cipher, authentication, salt] = labels[kind];
  return {
    cipherKey: derive(cipher, keyLength),
    authenticationKey: derive(authentication, 20),
    salt: derive(salt, saltLength),
  };
}

export class SrtpSender {
  private readonly rtp: SessionKeys;
  private readonly rtcp: SessionKeys;
  private rollovers = 0;
  private lastSequence = -1;
  private rtcpIndex = 0;

  constructor(masterKey: Buffer) {
    this.rtp = deriveKeys(masterKey, 'rtp');
    this.rtcp = deriveKeys(masterKey, 'rtcp');
  }

  /** Protects the packets of one source, in the order of their sequence numbers. */
  protect(packet: Buffer): Buffer {
    const header = rtpHeaderLength(packet);
    if (header === null) throw new TypeError('not an RTP packet');
    const sequence = packet.readUInt16BE(2);
    if (sequence < this.lastSequence) this.rollovers++;
    this.lastSequence = sequence;
    const ssrc = packet.readUInt32BE(8);
    const encrypted = crypt(this.rtp, ssrc, this.rollovers, sequence, packet.subarray(header));
    const body = Buffer.concat([packet.subarray(0, header), encrypted]);
    return Buffer.concat([body, tagOf(this.rtp, body, this.rollovers)]);
  }

  protectRtcp(packet: Buffer): Buffer {
    const index = this.rtcpIndex;
    this.rtcpIndex = (index + 1) & 0x7fff_ffff;
    const encrypted = cryptRtcp(this.rtcp, packet, index);
    const trailer = Buffer.alloc(4);
    trailer.writeUInt32BE((index | encryptedFlag) >>> 0);
    const body = Buffer.concat([packet.subarray(0, rtcpHeaderLength), encrypted, trailer]);
    return Buffer.concat([body, tagOf(this.rtcp, body)]);
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
  private readonly rtp: SessionKeys;
  private readonly rtcp: SessionKeys;
  private readonly windows = new Map<number, ReplayWindow>();
  private readonly rtcpWindow = new ReplayWindow();

  constructor(masterKey: Buffer) {
    this.rtp = deriveKeys(masterKey, 'rtp');
    this.rtcp = deriveKeys(masterKey, 'rtcp');
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
    if (!isAuthentic(this.rtp, body, datagram, rollovers)) return null;
    this.windowOf(ssrc).add(index);
    const payload = crypt(this.rtp, ssrc, rollovers, sequence, body.subarray(header));
    return Buffer.concat([body.subarray(0, header), payload]);
  }

  unprotectRtcp(datagram: Buffer): Buffer | null {
    if (datagram.length < rtcpHeaderLength + 4 + tagLength) return null;
    const body = datagram.subarray(0, -tagLength);
    const trailer = body.readUInt32BE(body.length - 4);
    const index = trailer & 0x7fff_ffff;
    if (this.rtcpWindow.has(index) || !isAuthentic(this.rtcp, body, datagram)) return null;
    this.rtcpWindow.add(index);
    const packet = body.subarray(0, -4);
    if (trailer < encryptedFlag) return packet;
    return Buffer.concat([packet.subarray(0, rtcpHeaderLength), cryptRtcp(this.rtcp, packet, index)]);
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

/** Encrypts or decrypts a payload. */
function crypt(
  { cipherKey, salt }: SessionKeys,
  ssrc: number,
  rollovers: number,
  sequence: number,
  payload: Buffer,
): Buffer {
  const counter = Buffer.alloc(16);
  counter.writeUInt32BE(ssrc, 4);
  counter.writeUInt32BE(rollovers >>> 0, 8);
  counter.writeUInt16BE(sequence, 12);
  for (let at = 0; at < saltLength; at++) counter[at]! ^= salt[at]!;
  return createCipheriv('aes-128-ctr', cipherKey, counter).update(payload);
}

function cryptRtcp(keys: SessionKeys, packet: Buffer, index: number): Buffer {
  const payload = packet.subarray(rtcpHeaderLength);
  return crypt(keys, packet.readUInt32BE(4), index >>> 16, index & 0xffff, payload);
}

function tagOf({ authenticationKey }: SessionKeys, body: Buffer, rollovers?: number): Buffer {
  const hmac = createHmac('sha1', authenticationKey).update(body);
  if (rollovers !== undefined) {
    const trailer = Buffer.alloc(4);
    trailer.writeUInt32BE(rollovers >>> 0);
    hmac.update(trailer);
  }
  return hmac.digest().subarray(0, tagLength);
}

function isAuthentic(keys: SessionKeys, body: Buffer, datagram: Buffer, rollovers?: number): boolean {
  return timingSafeEqual(tagOf(keys, body, rollovers), datagram.subarray(-tagLength));
}
