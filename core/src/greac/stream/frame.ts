// Frames of remote session streams: kind (1 byte), channel (4 bytes, big-endian), payload. A gateway's
// WebSocket carries many channels; a viewer's carries one, with the number `viewerChannel`.

/** Subprotocols of the two WebSockets (RFC 6455 section 1.9). */
export const gatewaySubprotocol = 'yagura.gateway.1';
export const viewerSubprotocol = 'yagura.stream.1';
/** A viewer's ticket is sent as a second subprotocol, so that it is in no URL. */
export const ticketSubprotocolPrefix = 'yagura.ticket.';

export const gatewayPath = '/api/kroker/gateway';

export const frameKinds = { control: 0, data: 1, credit: 2, end: 3, reset: 4 } as const;
export type FrameKind = keyof typeof frameKinds;

export const streamLimits = {
  /** Payload bytes per frame: 32 KiB with what encloses them. */
  payload: 32 * 1024 + 64,
  /** Bytes of a JSON control message. */
  control: 512 * 1024,
  /** Payload bytes that may be sent in data frames of a channel before the receiver gives credit. */
  credit: 256 * 1024,
  /** Bytes of a log chunk. */
  logChunk: 256 * 1024,
} as const;

/**
 * Milliseconds between two heartbeats of the server to a viewer: a ping, which the viewer's program answers, and a credit
 * frame of no bytes, because pages do not see pings.
 */
export const streamHeartbeatMs = 15_000;
/** Milliseconds without any frame after which either side counts the connection as lost. */
export const streamSilenceMs = 3 * streamHeartbeatMs;

/** Number of the channel of a gateway's control messages. */
export const controlChannel = 0;
/** Number of the only channel of a viewer's WebSocket. */
export const viewerChannel = 1;
/** Channels that the gateway opens itself (log uploads) begin here; those below belong to the server. */
export const firstGatewayChannel = 0x8000_0000;

/** Bytes before the payload of a frame. */
export const frameHeaderLength = 5;
const kindNames = Object.fromEntries(
  Object.entries(frameKinds).map(([name, code]) => [code, name]),
) as Record<number, FrameKind>;

export interface Frame {
  kind: FrameKind;
  channel: number;
  payload: Uint8Array;
}

/** A frame as it was received. */
export interface ReceivedFrame extends Frame {
  /** All of its bytes; `payload` is a view of them. */
  bytes: Uint8Array;
}

export function encodeFrame(kind: FrameKind, channel: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(frameHeaderLength + payload.length);
  writeFrameHeader(bytes, kind, channel);
  bytes.set(payload, frameHeaderLength);
  return bytes;
}

/** Makes a frame of bytes whose payload begins after `frameHeaderLength`. */
export function writeFrameHeader(bytes: Uint8Array, kind: FrameKind, channel: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, frameHeaderLength);
  view.setUint8(0, frameKinds[kind]);
  view.setUint32(1, channel);
}

/** The payload is a view of `bytes`. Null for an unknown kind, a frame that is too short or too long. */
export function decodeFrame(bytes: Uint8Array): ReceivedFrame | null {
  if (bytes.length < frameHeaderLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = kindNames[view.getUint8(0)];
  const payload = bytes.subarray(frameHeaderLength);
  const limit = kind === 'control' ? streamLimits.control : streamLimits.payload;
  if (!kind || payload.length > limit) return null;
  return { kind, channel: view.getUint32(1), payload, bytes };
}

/**
 * Received bytes that may wait: a copy if they are less than half of their memory, so that little bytes do not keep the
 * memory of all that was received with them.
 */
export function bytesToKeep(bytes: Uint8Array): Uint8Array {
  return bytes.length * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
}

/** The frame for another channel; its bytes are used again if they may wait. */
export function forwardFrame({ bytes }: ReceivedFrame, channel: number): Uint8Array {
  const forwarded = bytesToKeep(bytes);
  new DataView(forwarded.buffer, forwarded.byteOffset).setUint32(1, channel);
  return forwarded;
}

/** Gives the sender of a channel further bytes. */
export function encodeCredit(channel: number, bytes: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, bytes);
  return encodeFrame('credit', channel, payload);
}

/** Bytes of a credit frame's payload; null if it is invalid. */
export function readCredit({ payload }: Frame): number | null {
  if (payload.length !== 4) return null;
  return new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0);
}

/** Ends a channel with an error; see `StreamCode` for the codes. */
export function encodeReset(channel: number, code: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(2);
  new DataView(payload.buffer).setUint16(0, code);
  return encodeFrame('reset', channel, payload);
}

/** Code of a reset frame's payload; null if it is invalid. */
export function readReset({ payload }: Frame): number | null {
  if (payload.length !== 2) return null;
  return new DataView(payload.buffer, payload.byteOffset, 2).getUint16(0);
}

/** Bytes that may still be sent on, or received from, one channel. */
export class CreditWindow {
  private bytes: number = streamLimits.credit;

  get available(): number {
    return this.bytes;
  }

  /** Adds credit; false if the total is more than a well-behaved peer would give. */
  add(bytes: number): boolean {
    this.bytes += bytes;
    return this.bytes <= 64 * streamLimits.credit;
  }

  /** Uses credit; false if there is not enough, and then nothing is used. */
  use(bytes: number): boolean {
    if (bytes > this.bytes) return false;
    this.bytes -= bytes;
    return true;
  }
}
