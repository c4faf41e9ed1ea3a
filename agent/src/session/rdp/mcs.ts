// The messages of T.125 that frames carry (MS-RDPBCGR 2.2.1 and 3.2.5.3).
import { ByteReader, malformed } from './byte-reader.ts';
import { readDerLength } from './der.ts';

/** TPKT and X.224 data header. */
const dataHeader = 7;

export const mcsTypes = {
  disconnect: 8,
  sendDataRequest: 25,
  sendDataIndication: 26,
} as const;
const connectInitial = 0x65;
const connectResponse = 0x66;

export interface SendData {
  initiator: number;
  channel: number;
  /** A view of the frame. */
  data: Buffer;
}

/** Body of a TPKT frame with data. */
function bodyOf(frame: Uint8Array): ByteReader {
  const reader = new ByteReader(frame);
  reader.expect([3, 0], 'tpkt');
  if (reader.u16be('tpkt.length') !== frame.length) throw malformed('tpkt.length');
  reader.expect([2, 0xf0, 0x80], 'x224.data');
  return reader;
}

/** Type of an MCS message; null for the two of the connection. */
export function mcsTypeOf(frame: Uint8Array): number | null {
  const first = bodyOf(frame).u8('mcs.type');
  return first === 0x7f ? null : first >> 2;
}

/** Data of a channel in either direction; null for another message. */
export function parseSendData(frame: Uint8Array): SendData | null {
  const reader = bodyOf(frame);
  const first = reader.u8('mcs.type');
  const type = first >> 2;
  if (first === 0x7f || (type !== mcsTypes.sendDataRequest && type !== mcsTypes.sendDataIndication))
    return null;
  const initiator = reader.u16be('mcs.initiator') + 1001;
  const channel = reader.u16be('mcs.channel');
  reader.take(1, 'mcs.priority');
  const length = readPerLength(reader, 'mcs.length');
  if (length !== reader.left) throw malformed('mcs.length');
  return { initiator, channel, data: reader.take(length, 'mcs.data') };
}

export function encodeSendDataRequest({ initiator, channel, data }: SendData): Buffer {
  const header = Buffer.alloc(dataHeader + 8);
  header.set([3, 0, 0, 0, 2, 0xf0, 0x80, mcsTypes.sendDataRequest << 2]);
  header.writeUInt16BE(header.length + data.length, 2);
  header.writeUInt16BE(initiator - 1001, 8);
  header.writeUInt16BE(channel, 10);
  header[12] = 0x70;
  header.writeUInt16BE(0x8000 | data.length, 13);
  return Buffer.concat([header, data]);
}

/** PER length: one or two bytes. */
function readPerLength(reader: ByteReader, field: string): number {
  const first = reader.u8(field);
  if (first < 0x80) return first;
  if ((first & 0x40) !== 0) throw malformed(field);
  return ((first & 0x3f) << 8) | reader.u8(field);
}

function readBer(reader: ByteReader, tag: readonly number[], field: string): Buffer {
  reader.expect(tag, field);
  return reader.take(readDerLength(reader, field), field);
}

/** Blocks of settings in a Connect-Initial, by their type, as views of the frame. */
export function clientBlocks(frame: Uint8Array): Map<number, Buffer> {
  const reader = bodyOf(frame);
  const body = readBer(reader, [0x7f, connectInitial], 'mcs.connectInitial');
  if (reader.left > 0) throw malformed('mcs.connectInitial');
  const content = new ByteReader(body);
  readBer(content, [0x04], 'mcs.callingDomain');
  readBer(content, [0x04], 'mcs.calledDomain');
  readBer(content, [0x01], 'mcs.upwardFlag');
  for (const field of ['mcs.targetParameters', 'mcs.minimumParameters', 'mcs.maximumParameters'])
    readBer(content, [0x30], field);
  const userData = new ByteReader(readBer(content, [0x04], 'mcs.userData'));
  userData.expect([0x00, 0x05, 0x00, 0x14, 0x7c, 0x00, 0x01], 'gcc.key');
  // IronRDP counts two bytes too few here.
  if (readPerLength(userData, 'gcc.length') > userData.left) throw malformed('gcc.length');
  userData.expect([0x00, 0x08, 0x00, 0x10, 0x00, 0x01, 0xc0, 0x00], 'gcc.request');
  userData.expect([...Buffer.from('Duca')], 'gcc.h221Key');
  return readBlocks(userData);
}

/** Number of the channel for input and output, from a Connect-Response. */
export function ioChannelOf(frame: Uint8Array): number {
  const reader = bodyOf(frame);
  const content = new ByteReader(readBer(reader, [0x7f, connectResponse], 'mcs.connectResponse'));
  if (readBer(content, [0x0a], 'mcs.result')[0] !== 0) throw malformed('mcs.result');
  readBer(content, [0x02], 'mcs.connectId');
  readBer(content, [0x30], 'mcs.parameters');
  const userData = new ByteReader(readBer(content, [0x04], 'mcs.userData'));
  userData.expect([0x00, 0x05, 0x00, 0x14, 0x7c, 0x00, 0x01], 'gcc.key');
  readPerLength(userData, 'gcc.length');
  // Node, tag and result of the conference, whose lengths differ between servers; then the key of the server.
  const rest = userData.take(userData.left, 'gcc.response');
  const key = rest.subarray(0, 24).indexOf('McDn', 0, 'latin1');
  if (key < 0) throw malformed('gcc.h221Key');
  const network = readBlocks(new ByteReader(rest.subarray(key + 4))).get(0x0c03);
  if (!network || network.length < 6) throw malformed('gcc.serverNetwork');
  return network.readUInt16LE(4);
}

function readBlocks(reader: ByteReader): Map<number, Buffer> {
  if (readPerLength(reader, 'gcc.blocks') !== reader.left) throw malformed('gcc.blocks');
  const blocks = new Map<number, Buffer>();
  while (reader.left > 0) {
    const start = reader.offset;
    const head = reader.take(4, 'gcc.block');
    const length = head.readUInt16LE(2);
    if (length < 4) throw malformed('gcc.blockLength');
    const rest = reader.take(length - 4, 'gcc.blockLength');
    // Head and rest lie next to each other.
    blocks.set(head.readUInt16LE(0), Buffer.from(head.buffer, head.byteOffset, rest.length + 4));
    if (start === reader.offset) break;
  }
  return blocks;
}
