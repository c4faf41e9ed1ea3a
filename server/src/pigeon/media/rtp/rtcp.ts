// Reports of RTCP (RFC 3550, 6): what we send every few seconds, and what is read of those of the other party.

/** What we received of a source. */
export interface ReceptionReport {
  ssrc: number;
  /** Share of packets lost since the last report, in 1/256. */
  fractionLost: number;
  lost: number;
  /** Highest sequence number, with the number of its rounds in the upper half. */
  highestSequence: number;
  /** In units of timestamps. */
  jitter: number;
  /** Middle of the time in the last report of the sender, and 1/65536 seconds since; both 0 without one. */
  lastReport: number;
  sinceLastReport: number;
}

export interface SenderReport {
  ssrc: number;
  /** Random name of the sender. */
  name: string;
  /** Milliseconds since 1970, and the timestamp of the audio at that time. */
  time: number;
  timestamp: number;
  packets: number;
  octets: number;
  reception: ReceptionReport | null;
  /** Whether the sender leaves. */
  leaves: boolean;
}

export interface ReceivedReport {
  /** Middle 32 bits of the time of the sender; null without a sender report. */
  sentAt: number | null;
  /** Packets of ours lost on the way; null when nothing is said of us. */
  lostOfOurs: number | null;
}

const senderReportType = 200;
const receiverReportType = 201;
const descriptionType = 202;
const byeType = 203;
const maxPackets = 16;
const blockLength = 24;
/** Seconds from 1900 to 1970. */
const ntpOffset = 2_208_988_800;

export function writeReport(report: SenderReport): Buffer {
  const { reception } = report;
  const sender = Buffer.alloc(28 + (reception ? blockLength : 0));
  writeHeader(sender, reception ? 1 : 0, senderReportType);
  sender.writeUInt32BE(report.ssrc, 4);
  const seconds = report.time / 1000;
  sender.writeUInt32BE((Math.floor(seconds) + ntpOffset) >>> 0, 8);
  sender.writeUInt32BE(Math.floor((seconds % 1) * 0x1_0000_0000), 12);
  sender.writeUInt32BE(report.timestamp >>> 0, 16);
  sender.writeUInt32BE(report.packets >>> 0, 20);
  sender.writeUInt32BE(report.octets >>> 0, 24);
  if (reception) writeReception(sender, 28, reception);

  const name = Buffer.from(report.name, 'latin1');
  // The list of items ends with at least one zero and is filled up to four bytes.
  const description = Buffer.alloc(8 + 4 * Math.ceil((2 + name.length + 1) / 4));
  writeHeader(description, 1, descriptionType);
  description.writeUInt32BE(report.ssrc, 4);
  description[8] = 1;
  description[9] = name.length;
  name.copy(description, 10);

  if (!report.leaves) return Buffer.concat([sender, description]);
  const bye = Buffer.alloc(8);
  writeHeader(bye, 1, byeType);
  bye.writeUInt32BE(report.ssrc, 4);
  return Buffer.concat([sender, description, bye]);
}

/** Null when the datagram is not RTCP. */
export function parseReport(datagram: Buffer, ownSsrc: number): ReceivedReport | null {
  const report: ReceivedReport = { sentAt: null, lostOfOurs: null };
  let at = 0;
  for (let count = 0; at < datagram.length; count++) {
    if (count === maxPackets || datagram.length - at < 4 || datagram[at]! >> 6 !== 2) return null;
    const type = datagram[at + 1]!;
    const length = 4 + 4 * datagram.readUInt16BE(at + 2);
    if (at + length > datagram.length) return null;
    const isSender = type === senderReportType;
    if (count === 0 && !isSender && type !== receiverReportType) return null;
    if (isSender || type === receiverReportType) {
      const blocksAt = isSender ? 28 : 8;
      const blocks = datagram[at]! & 0x1f;
      if (length < blocksAt + blocks * blockLength) return null;
      if (isSender) report.sentAt = datagram.readUInt32BE(at + 10);
      for (let block = 0; block < blocks; block++) {
        const start = at + blocksAt + block * blockLength;
        if (datagram.readUInt32BE(start) === ownSsrc)
          report.lostOfOurs = Math.max(0, datagram.readIntBE(start + 5, 3));
      }
    }
    at += length;
  }
  return at === 0 ? null : report;
}

function writeHeader(packet: Buffer, count: number, type: number): void {
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
}

function writeReception(packet: Buffer, at: number, reception: ReceptionReport): void {
  packet.writeUInt32BE(reception.ssrc, at);
  packet[at + 4] = reception.fractionLost;
  packet.writeUIntBE(Math.min(reception.lost, 0x7f_ffff), at + 5, 3);
  packet.writeUInt32BE(reception.highestSequence >>> 0, at + 8);
  packet.writeUInt32BE(reception.jitter >>> 0, at + 12);
  packet.writeUInt32BE(reception.lastReport >>> 0, at + 16);
  packet.writeUInt32BE(reception.sinceLastReport >>> 0, at + 20);
}
