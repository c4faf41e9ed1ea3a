// Messages of the channel for input and output after the sign-in (MS-RDPBCGR 2.2.8).
import { ByteReader, malformed } from './byte-reader.ts';
import { isTpkt } from './frames.ts';
import { encodeSendDataRequest, mcsTypeOf, parseSendData } from './mcs.ts';

const shareTypes = { demandActive: 1, confirmActive: 3, data: 7 } as const;
const dataTypes = {
  update: 2,
  control: 20,
  input: 28,
  synchronize: 31,
  refreshRect: 33,
  fontList: 39,
  fontMap: 40,
  persistentKeys: 43,
  errorInfo: 47,
  acknowledge: 56,
} as const;

/** What a host says about its desktop. */
export interface HostDesktop {
  shareId: number;
  width: number;
  height: number;
  /** It takes characters that no key gives. */
  takesText: boolean;
}

export type ServerMessage =
  | ({ kind: 'demand-active' } & HostDesktop)
  | { kind: 'font-map' }
  | { kind: 'picture' }
  /** An update outside of the fast path, as some hosts send their bitmaps; `data` is as in the fast path. */
  | { kind: 'update'; data: Buffer }
  /** Why the host ends the connection. */
  | { kind: 'error-info'; code: number }
  | { kind: 'other' }
  /** Of a channel that is closed to viewers. */
  | { kind: 'foreign' };

/** What a frame of the host is; throws for one with wrong lengths. */
export function readServerMessage(frame: Buffer, ioChannel: number): ServerMessage {
  if (!isTpkt(frame)) return { kind: 'picture' };
  if (mcsTypeOf(frame) === null) return { kind: 'other' };
  const sent = parseSendData(frame);
  if (!sent) return { kind: 'other' };
  if (sent.channel !== ioChannel) return { kind: 'foreign' };
  const share = readShare(sent.data);
  if (share?.type === shareTypes.demandActive) {
    const shareId = share.body.u32le('demandActive.shareId');
    return { kind: 'demand-active', shareId, ...readCapabilities(share.body) };
  }
  if (share?.type !== shareTypes.data) return { kind: 'other' };
  const type = readDataType(share.body);
  if (type === dataTypes.fontMap) return { kind: 'font-map' };
  if (type !== dataTypes.update && type !== dataTypes.errorInfo) return { kind: 'other' };
  share.body.take(3, 'share.compression');
  if (type === dataTypes.errorInfo) return { kind: 'error-info', code: share.body.u32le('errorInfo.code') };
  return { kind: 'update', data: share.body.take(share.body.left, 'share.update') };
}

export type ClientMessage =
  | 'confirm-active'
  | 'activation'
  | 'input'
  | 'acknowledge'
  | 'connection'
  | 'foreign';

/** What a frame of a viewer is; throws for one with wrong lengths. */
export function readClientMessage(frame: Buffer, ioChannel: number): ClientMessage {
  if (!isTpkt(frame)) return 'input';
  const sent = parseSendData(frame);
  if (!sent) return 'connection';
  if (sent.channel !== ioChannel) return 'foreign';
  const share = readShare(sent.data);
  if (share?.type === shareTypes.confirmActive) return 'confirm-active';
  // Client Info and licences.
  if (share?.type !== shareTypes.data) return 'connection';
  switch (readDataType(share.body)) {
    case dataTypes.input:
      return 'input';
    case dataTypes.acknowledge:
      return 'acknowledge';
    case dataTypes.synchronize:
    case dataTypes.control:
    case dataTypes.fontList:
    case dataTypes.persistentKeys:
      return 'activation';
    default:
      return 'foreign';
  }
}

export const isFontList = (frame: Buffer): boolean => {
  const sent = isTpkt(frame) ? parseSendData(frame) : null;
  const share = sent && readShare(sent.data);
  return share?.type === shareTypes.data && readDataType(share.body) === dataTypes.fontList;
};

/** Asks the host to paint all of the screen again. */
export function encodeRefresh(at: {
  initiator: number;
  ioChannel: number;
  shareId: number;
  width: number;
  height: number;
}): Buffer {
  const data = Buffer.alloc(30);
  data.writeUInt16LE(data.length, 0);
  data.writeUInt16LE(0x10 | shareTypes.data, 2);
  data.writeUInt16LE(at.initiator, 4);
  data.writeUInt32LE(at.shareId, 6);
  data[11] = 1;
  data.writeUInt16LE(data.length - 14, 12);
  data[14] = dataTypes.refreshRect;
  data[18] = 1;
  // One more than the last column and row, which freerdp-shadow leaves out; others cut off what lies outside.
  data.writeUInt16LE(at.width, 26);
  data.writeUInt16LE(at.height, 28);
  return encodeSendDataRequest({ initiator: at.initiator, channel: at.ioChannel, data });
}

/** Null for what is no such message, as a licence. */
function readShare(data: Buffer): { type: number; body: ByteReader } | null {
  if (data.length < 6) return null;
  const reader = new ByteReader(data);
  const length = reader.u16le('share.length');
  const type = reader.u16le('share.type');
  // The version is 1 and a type is not 0; licences and Client Info have other values here.
  if (type >> 4 !== 1 || (type & 0x0f) === 0) return null;
  if (length < 6 || length > data.length) throw malformed('share.length');
  reader.take(2, 'share.source');
  return { type: type & 0x0f, body: new ByteReader(data.subarray(6, length)) };
}

function readDataType(body: ByteReader): number {
  body.take(8, 'share.data');
  return body.u8('share.dataType');
}

/** MS-RDPBCGR 2.2.7.1.2 and 2.2.7.1.6. */
const capabilities = { bitmap: 2, input: 13 } as const;
const unicodeInput = 0x0010;

function readCapabilities(body: ByteReader): Omit<HostDesktop, 'shareId'> {
  const descriptor = body.u16le('demandActive.descriptor');
  body.take(2, 'demandActive.length');
  body.take(descriptor, 'demandActive.descriptor');
  const count = body.u16le('demandActive.count');
  body.take(2, 'demandActive.pad');
  let size: { width: number; height: number } | undefined;
  let takesText = false;
  for (let index = 0; index < count; index += 1) {
    const type = body.u16le('demandActive.capability');
    const length = body.u16le('demandActive.capability');
    if (length < 4) throw malformed('demandActive.capability');
    const capability = new ByteReader(body.take(length - 4, 'demandActive.capability'));
    if (type === capabilities.input)
      takesText = (capability.u16le('demandActive.input') & unicodeInput) !== 0;
    if (type !== capabilities.bitmap) continue;
    capability.take(8, 'demandActive.bitmap');
    const width = capability.u16le('demandActive.bitmap');
    size = { width, height: capability.u16le('demandActive.bitmap') };
  }
  if (!size) throw malformed('demandActive.bitmap');
  return { ...size, takesText };
}
