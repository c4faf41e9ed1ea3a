// The messages of T.125 that frames carry (MS-RDPBCGR 2.2.1 and 3.2.5.3).
import { ByteReader, malformed } from './byte-reader.ts';
import { encodeDer, readDerLength } from './der.ts';

/** TPKT and X.224 data header. */
const dataHeader = 7;

export const mcsTypes = {
  disconnect: 8,
  channelJoinRequest: 14,
  channelJoinConfirm: 15,
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

export function encodeJoinRequest(initiator: number, channel: number): Buffer {
  const frame = Buffer.from([3, 0, 0, 12, 2, 0xf0, 0x80, mcsTypes.channelJoinRequest << 2, 0, 0, 0, 0]);
  frame.writeUInt16BE(initiator - 1001, 8);
  frame.writeUInt16BE(channel, 10);
  return frame;
}

/** Number of the channel that a Channel Join Confirm is for. */
export function joinedChannel(frame: Uint8Array): number {
  const reader = bodyOf(frame);
  reader.take(4, 'mcs.joinConfirm');
  return reader.u16be('mcs.joinConfirm');
}

function encodePerLength(length: number): Buffer {
  return Buffer.from([0x80 | (length >> 8), length & 255]);
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

/** A Connect-Initial or Connect-Response, cut where its blocks of settings begin. */
interface ConnectParts {
  tag: number;
  /** Fields before the user data. */
  before: Buffer;
  /** User data before the length of the blocks. */
  head: Buffer;
  /** A view of the frame. */
  blocks: Buffer;
}

const conferenceKey = [0x00, 0x05, 0x00, 0x14, 0x7c, 0x00, 0x01];

function connectInitialParts(frame: Uint8Array): ConnectParts {
  const reader = bodyOf(frame);
  const body = readBer(reader, [0x7f, connectInitial], 'mcs.connectInitial');
  if (reader.left > 0) throw malformed('mcs.connectInitial');
  const content = new ByteReader(body);
  readBer(content, [0x04], 'mcs.callingDomain');
  readBer(content, [0x04], 'mcs.calledDomain');
  readBer(content, [0x01], 'mcs.upwardFlag');
  for (const field of ['mcs.targetParameters', 'mcs.minimumParameters', 'mcs.maximumParameters'])
    readBer(content, [0x30], field);
  const before = body.subarray(0, content.offset);
  const userData = new ByteReader(readBer(content, [0x04], 'mcs.userData'));
  userData.expect(conferenceKey, 'gcc.key');
  // IronRDP counts two bytes too few here.
  if (readPerLength(userData, 'gcc.length') > userData.left) throw malformed('gcc.length');
  const head = userData.take(12, 'gcc.request');
  const request = new ByteReader(head);
  request.expect([0x00, 0x08, 0x00, 0x10, 0x00, 0x01, 0xc0, 0x00], 'gcc.request');
  request.expect([...Buffer.from('Duca')], 'gcc.h221Key');
  return { tag: connectInitial, before, head, blocks: blocksOf(userData) };
}

function connectResponseParts(frame: Uint8Array): ConnectParts {
  const reader = bodyOf(frame);
  const body = readBer(reader, [0x7f, connectResponse], 'mcs.connectResponse');
  const content = new ByteReader(body);
  if (readBer(content, [0x0a], 'mcs.result')[0] !== 0) throw malformed('mcs.result');
  readBer(content, [0x02], 'mcs.connectId');
  readBer(content, [0x30], 'mcs.parameters');
  const before = body.subarray(0, content.offset);
  const userData = new ByteReader(readBer(content, [0x04], 'mcs.userData'));
  userData.expect(conferenceKey, 'gcc.key');
  readPerLength(userData, 'gcc.length');
  // Node, tag and result of the conference, whose lengths differ between servers; then the key of the server.
  const rest = userData.take(userData.left, 'gcc.response');
  const key = rest.subarray(0, 24).indexOf('McDn', 0, 'latin1');
  if (key < 0) throw malformed('gcc.h221Key');
  const blocks = blocksOf(new ByteReader(rest.subarray(key + 4)));
  return { tag: connectResponse, before, head: rest.subarray(0, key + 4), blocks };
}

function blocksOf(reader: ByteReader): Buffer {
  if (readPerLength(reader, 'gcc.blocks') !== reader.left) throw malformed('gcc.blocks');
  return reader.take(reader.left, 'gcc.blocks');
}

function encodeConnect({ tag, before, head, blocks }: ConnectParts): Buffer {
  const content = Buffer.concat([head, encodePerLength(blocks.length), blocks]);
  const userData = [Buffer.from(conferenceKey), encodePerLength(content.length), content];
  const body = encodeDer(tag, before, encodeDer(0x04, ...userData));
  const header = Buffer.from([3, 0, 0, 0, 2, 0xf0, 0x80, 0x7f]);
  header.writeUInt16BE(header.length + body.length, 2);
  return Buffer.concat([header, body]);
}

/** Blocks of settings in a Connect-Initial, by their type, as views of the frame. */
export const clientBlocks = (frame: Uint8Array): Map<number, Buffer> =>
  readBlocks(connectInitialParts(frame).blocks);

/** Blocks of settings in a Connect-Response, by their type, as views of the frame. */
const serverBlocks = (frame: Uint8Array): Map<number, Buffer> =>
  readBlocks(connectResponseParts(frame).blocks);

/** The same message with a block that replaces the one of its type, or is added. */
export function withBlock(frame: Uint8Array, block: Buffer): Buffer {
  const isRequest = frame[8] === connectInitial;
  const parts = isRequest ? connectInitialParts(frame) : connectResponseParts(frame);
  const blocks = readBlocks(parts.blocks).set(block.readUInt16LE(0), block);
  return encodeConnect({ ...parts, blocks: Buffer.concat([...blocks.values()]) });
}

/** Number of the channel for input and output, from a Connect-Response. */
export function ioChannelOf(frame: Uint8Array): number {
  return serverNetwork(frame).readUInt16LE(4);
}

const serverNetworkType = 0x0c03;

/** The block of a Connect-Response that has the numbers of the channels. */
export function serverNetwork(frame: Uint8Array): Buffer {
  const network = serverBlocks(frame).get(serverNetworkType);
  if (!network || network.length < 8) throw malformed('gcc.serverNetwork');
  if (network.length < 8 + 2 * network.readUInt16LE(6)) throw malformed('gcc.serverNetwork');
  return network;
}

function readBlocks(bytes: Buffer): Map<number, Buffer> {
  const reader = new ByteReader(bytes);
  const blocks = new Map<number, Buffer>();
  while (reader.left > 0) {
    const head = reader.take(4, 'gcc.block');
    const length = head.readUInt16LE(2);
    if (length < 4) throw malformed('gcc.blockLength');
    const rest = reader.take(length - 4, 'gcc.blockLength');
    // Head and rest lie next to each other.
    blocks.set(head.readUInt16LE(0), Buffer.from(head.buffer, head.byteOffset, rest.length + 4));
  }
  return blocks;
}
