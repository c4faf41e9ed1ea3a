// Static channels (MS-RDPBCGR 1.3.3) that the gateway uses itself. Viewers neither see nor reach any channel but that
// for input and output.
import { ByteReader, malformed } from './byte-reader.ts';
import { isTpkt } from './frames.ts';
import {
  encodeJoinRequest,
  encodeSendDataRequest,
  joinedChannel,
  mcsTypeOf,
  mcsTypes,
  parseSendData,
  serverNetwork,
  withBlock,
} from './mcs.ts';

/** What uses a channel. */
export interface ChannelUser {
  /** At most seven characters. */
  readonly name: string;
  /** Bytes of a message. */
  readonly maxLength: number;
  /** Null for a message that is longer than `maxLength`. */
  receive(message: Buffer | null): void;
}

interface Channel {
  user: ChannelUser;
  /** Pieces of a message whose end has not arrived; null for one that is too long. */
  pieces: Buffer[] | null;
  missing: number;
}

const clientNetworkType = 0xc003;
/** Initialized and encrypted, with headers that name pieces. */
const channelOptions = 0xc020_0000;
const flags = { first: 1, last: 2, showProtocol: 0x10, compressed: 0x0020_0000 } as const;
/** Bytes of a piece (MS-RDPBCGR 2.2.7.1.10). */
const maxPiece = 1600;
const pieceHeader = 8;

export class StaticChannels {
  private readonly users: readonly ChannelUser[];
  private readonly write: (frame: Buffer) => void;
  private readonly channels = new Map<number, Channel>();
  private initiator = 0;
  private isConfirmed = false;

  constructor(users: readonly ChannelUser[], write: (frame: Buffer) => void) {
    this.users = users;
    this.write = write;
  }

  /** A Connect-Initial that asks for these channels, and for no other that the viewer's client may have named. */
  request(connectInitial: Buffer): Buffer {
    const block = Buffer.alloc(8 + 12 * this.users.length);
    block.writeUInt16LE(clientNetworkType, 0);
    block.writeUInt16LE(block.length, 2);
    block.writeUInt32LE(this.users.length, 4);
    for (const [index, { name }] of this.users.entries()) {
      block.write(name, 8 + 12 * index, 'latin1');
      block.writeUInt32LE(channelOptions, 16 + 12 * index);
    }
    return withBlock(connectInitial, block);
  }

  /** Joins them; `initiator` is the number of the client. */
  join(initiator: number): void {
    this.initiator = initiator;
    for (const channel of this.channels.keys()) this.write(encodeJoinRequest(initiator, channel));
  }

  /** What viewers get of a frame of the host: null if it is of one of these channels. */
  filter(frame: Buffer): Buffer | null {
    if (!isTpkt(frame)) return frame;
    const type = mcsTypeOf(frame);
    if (type === null) return this.isConfirmed ? frame : this.confirm(frame);
    if (type === mcsTypes.channelJoinConfirm && this.channels.has(joinedChannel(frame))) return null;
    if (type !== mcsTypes.sendDataIndication) return frame;
    const sent = parseSendData(frame)!;
    const channel = this.channels.get(sent.channel);
    if (!channel) return frame;
    this.receive(channel, sent.data);
    return null;
  }

  send(user: ChannelUser, message: Buffer): void {
    const channel = [...this.channels].find(([, one]) => one.user === user)?.[0];
    if (channel === undefined) return;
    for (let at = 0; at < message.length; at += maxPiece) {
      const piece = message.subarray(at, at + maxPiece);
      const header = Buffer.alloc(pieceHeader);
      header.writeUInt32LE(message.length, 0);
      const isFirst = at === 0 ? flags.first : 0;
      const isLast = at + piece.length === message.length ? flags.last : 0;
      header.writeUInt32LE(isFirst | isLast | flags.showProtocol, 4);
      const data = Buffer.concat([header, piece]);
      this.write(encodeSendDataRequest({ initiator: this.initiator, channel, data }));
    }
  }

  private confirm(connectResponse: Buffer): Buffer {
    this.isConfirmed = true;
    const network = serverNetwork(connectResponse);
    const count = Math.min(network.readUInt16LE(6), this.users.length);
    for (let index = 0; index < count; index += 1) {
      const number = network.readUInt16LE(8 + 2 * index);
      // A host that does not know a channel gives it no number.
      if (number !== 0) this.channels.set(number, { user: this.users[index]!, pieces: [], missing: 0 });
    }
    const hidden = Buffer.from(network.subarray(0, 8));
    hidden.writeUInt16LE(hidden.length, 2);
    hidden.writeUInt16LE(0, 6);
    return withBlock(connectResponse, hidden);
  }

  private receive(channel: Channel, data: Buffer): void {
    const reader = new ByteReader(data);
    const length = reader.u32le('channel.length');
    const flag = reader.u32le('channel.flags');
    if ((flag & flags.compressed) !== 0) throw malformed('channel.flags');
    const piece = reader.take(reader.left, 'channel.piece');
    if ((flag & flags.first) !== 0) {
      channel.pieces = length > channel.user.maxLength ? null : [];
      channel.missing = length;
    }
    channel.missing -= piece.length;
    if (channel.missing < 0) throw malformed('channel.length');
    if (piece.length > 0) channel.pieces?.push(piece);
    if ((flag & flags.last) === 0) return;
    if (channel.missing > 0) throw malformed('channel.length');
    const message = channel.pieces && Buffer.concat(channel.pieces);
    channel.pieces = [];
    channel.user.receive(message);
  }
}
