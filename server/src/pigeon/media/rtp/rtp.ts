// Packets of RTP (RFC 3550, 5.1).

export interface RtpPacket {
  payloadType: number;
  /** First packet after a silence, or of a telephone event. */
  marker: boolean;
  sequence: number;
  timestamp: number;
  /** Identifier of the source. */
  ssrc: number;
  payload: Buffer;
}

const fixedHeaderLength = 12;

/** Length of the header with contributing sources and extension; null when the datagram is not RTP. */
export function rtpHeaderLength(datagram: Buffer): number | null {
  if (datagram.length < fixedHeaderLength || datagram[0]! >> 6 !== 2) return null;
  // RTCP on the port of the audio has these payload types (RFC 5761).
  const payloadType = datagram[1]! & 0x7f;
  if (payloadType >= 64 && payloadType <= 95) return null;
  let length = fixedHeaderLength + 4 * (datagram[0]! & 0x0f);
  if (datagram[0]! & 0x10) {
    if (datagram.length < length + 4) return null;
    length += 4 + 4 * datagram.readUInt16BE(length + 2);
  }
  return length <= datagram.length ? length : null;
}

/** Null when the datagram is not RTP. */
export function parseRtp(datagram: Buffer): RtpPacket | null {
  const start = rtpHeaderLength(datagram);
  if (start === null) return null;
  let end = datagram.length;
  if (datagram[0]! & 0x20) {
    const padding = datagram[end - 1]!;
    if (padding === 0 || start + padding > end) return null;
    end -= padding;
  }
  return {
    payloadType: datagram[1]! & 0x7f,
    marker: (datagram[1]! & 0x80) !== 0,
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

export function writeRtp(packet: RtpPacket): Buffer {
  const datagram = Buffer.allocUnsafe(fixedHeaderLength + packet.payload.length);
  datagram[0] = 0x80;
  datagram[1] = (packet.marker ? 0x80 : 0) | packet.payloadType;
  datagram.writeUInt16BE(packet.sequence & 0xffff, 2);
  datagram.writeUInt32BE(packet.timestamp >>> 0, 4);
  datagram.writeUInt32BE(packet.ssrc, 8);
  packet.payload.copy(datagram, fixedHeaderLength);
  return datagram;
}
