// Messages between a viewer and the gateway, inside encrypted records: type (1 byte), body. The server sees none
// of them.
import { z } from 'zod';
import { fileKinds } from '../session-parameters.ts';
import { streamLimits } from './frame.ts';
import { recordOverhead } from './stream-cipher.ts';

export const viewerMessageTypes = {
  /** JSON, see `viewerControl` and `gatewayControl`. */
  control: 0,
  /** Bytes typed (viewer) or shown (gateway). */
  terminal: 1,
  /** Bytes of a file: transfer number (4 bytes, big-endian), content; nothing at its end. */
  file: 2,
} as const;
export type ViewerMessageType = keyof typeof viewerMessageTypes;

/** Bytes of a message's body, so that its record fits into a frame. */
export const maxViewerBody = streamLimits.payload - recordOverhead - 1;
const transferPrefix = 4;
/** Content bytes of a `file` message. */
export const maxFileContent = maxViewerBody - transferPrefix;

const typeNames = Object.fromEntries(
  Object.entries(viewerMessageTypes).map(([name, code]) => [code, name]),
) as Record<number, ViewerMessageType>;

export function encodeViewerMessage(type: ViewerMessageType, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = viewerMessageTypes[type];
  bytes.set(body, 1);
  return bytes;
}

export function encodeViewerControl(message: ViewerControl | GatewayControl): Uint8Array {
  return encodeViewerMessage('control', new TextEncoder().encode(JSON.stringify(message)));
}

/** At most `maxFileContent` bytes of content. */
export function encodeFileMessage(transfer: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + transferPrefix + content.length);
  bytes[0] = viewerMessageTypes.file;
  new DataView(bytes.buffer).setUint32(1, transfer);
  bytes.set(content, 1 + transferPrefix);
  return bytes;
}

/** The content is a view of `body`; null if the body is too short. */
export function decodeFileBody(body: Uint8Array): { transfer: number; content: Uint8Array } | null {
  if (body.length < transferPrefix) return null;
  const transfer = new DataView(body.buffer, body.byteOffset).getUint32(0);
  return { transfer, content: body.subarray(transferPrefix) };
}

/** The body is a view of `bytes`; null for an unknown type. */
export function decodeViewerMessage(bytes: Uint8Array): { type: ViewerMessageType; body: Uint8Array } | null {
  const type = typeNames[bytes[0] ?? -1];
  return type ? { type, body: bytes.subarray(1) } : null;
}

export const viewerModes = ['control', 'watch'] as const;
export type ViewerMode = (typeof viewerModes)[number];

/** First frame on a viewer's WebSocket: a control frame that the server reads. All others are data and credit. */
export const streamBegin = z.object({
  mode: z.enum(viewerModes),
  /** See `sealStreamSecret`. */
  streamSecret: z.string().max(4096),
  /** The viewer's id in its stream before, which it has lost and the server may still count as open. */
  replaces: z.string().max(64).optional(),
});
export type StreamBegin = z.output<typeof streamBegin>;

/** Characters of a clipboard, in either direction. */
export const maxClipboardText = 256 * 1024;
/** Characters of one message, so that it fits into a record however they are escaped. */
const clipboardPiece = 2000;
/** Text of a desktop's clipboard; what is longer than one message goes on in the next ones. */
const clipboardText = z.object({
  type: z.literal('clipboard'),
  text: z.string().max(clipboardPiece),
  isLast: z.boolean(),
});
export type ClipboardText = z.output<typeof clipboardText>;

export function clipboardMessages(text: string): ClipboardText[] {
  const count = Math.max(1, Math.ceil(text.length / clipboardPiece));
  return Array.from({ length: count }, (_, index) => ({
    type: 'clipboard',
    text: text.slice(index * clipboardPiece, (index + 1) * clipboardPiece),
    isLast: index === count - 1,
  }));
}

/** Why a text was not passed on: the destination does not allow it, the host has no clipboard, or it is too long. */
const clipboardRefusals = ['not-allowed', 'unavailable', 'too-long'] as const;
export type ClipboardRefusal = (typeof clipboardRefusals)[number];

const transfer = z.int().min(1).max(0xffff_ffff);
const path = z.string().min(1).max(4096);
const terminalSize = { columns: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) };

/** Viewer to gateway. */
export const viewerControl = z.discriminatedUnion('type', [
  /** The size of the viewer's terminal; applied if it controls the session. */
  z.object({ type: z.literal('resize'), ...terminalSize }),
  /** Asks the controlling viewer to hand over; granted at once if nobody controls. */
  z.object({ type: z.literal('request-control') }),
  /** Hands control to another viewer, or to nobody. */
  z.object({ type: z.literal('give-control'), to: z.uuid().nullable() }),
  /** Answer to `host-key`. */
  z.object({ type: z.literal('host-key-decision'), fingerprint: z.string().max(255), accept: z.boolean() }),
  z.object({ type: z.literal('list-files'), transfer, path }),
  /** Sends the file's content from `offset` as `file` messages. */
  z.object({ type: z.literal('download'), transfer, path, offset: z.int().min(0) }),
  /** Followed by the content as `file` messages; a partial upload goes on at `offset`. */
  z.object({ type: z.literal('upload'), transfer, path, offset: z.int().min(0), size: z.int().min(0) }),
  z.object({ type: z.literal('cancel'), transfer }),
  /** Offers text to a desktop, which can paste it then; only of who controls the session. */
  clipboardText,
]);
export type ViewerControl = z.output<typeof viewerControl>;

export const fileEntry = z.object({
  name: z.string(),
  kind: z.enum(fileKinds),
  size: z.number().nullable(),
  modifiedAt: z.string().nullable(),
});
export type RemoteFile = z.output<typeof fileEntry>;

/** Gateway to viewer. */
export const gatewayControl = z.discriminatedUnion('type', [
  /** Stage of the connection to the destination; repeated to viewers that attach later. */
  z.object({
    type: z.literal('state'),
    state: z.enum(['connecting', 'connected', 'ended', 'failed']),
    /** One of `streamCodes` for `failed`, a close reason for `ended`. */
    code: z.string().optional(),
    params: z.record(z.string(), z.string()).optional(),
  }),
  /** Clears the viewer's terminal; the following `terminal` messages draw the screen as it is. */
  z.object({ type: z.literal('snapshot'), ...terminalSize }),
  /** The session's terminal size has changed. */
  z.object({ type: z.literal('resize'), ...terminalSize }),
  /** Who is there; sent on every change. */
  z.object({
    type: z.literal('viewers'),
    you: z.uuid(),
    viewers: z.array(
      z.object({
        viewerId: z.uuid(),
        displayName: z.string(),
        mode: z.enum(viewerModes),
        wantsControl: z.boolean(),
      }),
    ),
  }),
  /** The host key is not known; the first viewer decides. */
  z.object({ type: z.literal('host-key'), algorithm: z.string(), fingerprint: z.string() }),
  z.object({ type: z.literal('files'), transfer, items: z.array(fileEntry), isTruncated: z.boolean() }),
  /** Begins a download (`size` bytes in total), or confirms where an upload goes on. */
  z.object({ type: z.literal('transfer'), transfer, offset: z.number(), size: z.number() }),
  /** Upload: bytes written so far. The sender keeps at most `streamLimits.credit` bytes unconfirmed. */
  z.object({ type: z.literal('written'), transfer, bytes: z.number() }),
  z.object({ type: z.literal('transfer-done'), transfer }),
  z.object({ type: z.literal('transfer-failed'), transfer, code: z.string() }),
  /** Recording has stopped; what follows is in no log. */
  z.object({ type: z.literal('recording'), isRecording: z.boolean() }),
  /** What the host of a desktop has said about itself; repeated when it says so again. */
  z.object({
    type: z.literal('desktop'),
    /** It says that it takes characters that no key of its keyboard layout gives; xrdp says so and leaves most out. */
    takesText: z.boolean(),
  }),
  /** Text that was copied on the desktop; only to who controls the session. */
  clipboardText,
  /** The desktop knows of the text that was offered. */
  z.object({ type: z.literal('clipboard-taken') }),
  z.object({ type: z.literal('clipboard-refused'), reason: z.enum(clipboardRefusals) }),
]);
export type GatewayControl = z.output<typeof gatewayControl>;
