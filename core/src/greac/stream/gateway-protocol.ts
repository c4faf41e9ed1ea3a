// Control messages between the server and a gateway (the Kroker role of an on-site agent): JSON in control frames
// on channel 0 of the WebSocket `/api/kroker/gateway`.
import { z } from 'zod';
import { host } from '../host.ts';
import { hostKeyPolicies, logKinds, protocols } from '../session-parameters.ts';
import { fileEntry, viewerModes } from './viewer-protocol.ts';

/** Versions of the protocol that the server speaks. */
export const gatewayProtocols = [1] as const;

/** Why a session or a viewer could not be connected, with the number that a reset frame carries. */
export const streamCodes = {
  UNREACHABLE: 1,
  REFUSED: 2,
  TIMEOUT: 3,
  NOT_ALLOWED: 4,
  HOST_KEY_UNKNOWN: 5,
  HOST_KEY_CHANGED: 6,
  CERTIFICATE_CHANGED: 7,
  SIGN_IN_FAILED: 8,
  CREDENTIAL_UNREADABLE: 9,
  CREDENTIAL_NOT_FOR_HOST: 10,
  SESSION_CLOSED: 11,
  SESSION_CONFLICT: 12,
  CONNECTION_LIMIT_REACHED: 13,
  RECORDING_FAILED: 14,
  PROTOCOL: 15,
  SERVER_ERROR: 16,
  /** The viewer no longer has the right to be there. */
  FORBIDDEN: 17,
  /** The gateway is not connected. */
  GATEWAY_AWAY: 18,
  /** More bytes were sent than there was credit for. */
  CREDIT_EXCEEDED: 19,
  CERTIFICATE_UNKNOWN: 20,
  /** The site does not accept the key to which the session would be recorded, or that it is not. */
  LOG_KEY_NOT_ALLOWED: 21,
  /** The server has no space for recordings now. */
  NO_SPACE: 22,
} as const;
export type StreamCode = keyof typeof streamCodes;

const codeNames: ReadonlyMap<number, StreamCode> = new Map(
  Object.entries(streamCodes).map(([name, code]) => [code, name as StreamCode]),
);

/** Undefined for a number that this version does not know. */
export function streamCodeName(code: number | null): StreamCode | undefined {
  return code === null ? undefined : codeNames.get(code);
}

/**
 * Whether a reset of a log chunk's channel means that the server takes no recordings for now; any other code refuses those of
 * the session. Servers of before `NO_SPACE` send the other one.
 */
export function isRefusedForNow(code: number | null): boolean {
  return code === streamCodes.NO_SPACE || code === streamCodes.CONNECTION_LIMIT_REACHED;
}

const streamCode = z.enum(Object.keys(streamCodes) as [StreamCode, ...StreamCode[]]);

/** Interval at which a gateway is expected to answer, in milliseconds. */
export const gatewayHeartbeatMs = 20_000;
/** Three missed heartbeats, after which a gateway counts as disconnected, in milliseconds. */
export const gatewayTimeoutMs = 3 * gatewayHeartbeatMs;
/** How long a gateway keeps sessions open without its server, in milliseconds. */
export const gatewayGraceMs = 5 * 60 * 1000;
/** How long a gateway still sends viewers what a session that is over has shown, in milliseconds. */
export const sessionEndMs = 30_000;

const sessionId = z.uuid();
const viewerId = z.uuid();
const channel = z.int().min(1).max(0xffff_ffff);
const fingerprint = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/);
const part = z.int().min(1).max(10_000);
const logKind = z.enum(logKinds);

/** What identifies a log part, and what its signature covers. */
export const logSeal = z.object({
  sessionId,
  kind: logKind,
  /** Counts from 1; a gateway that was interrupted begins a new part. */
  part,
  chunks: z.int().min(0),
  bytes: z.int().min(0),
  /** SHA-256 of the encrypted part in base64url. */
  digest: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  startedAt: z.iso.datetime({ offset: true }),
  endedAt: z.iso.datetime({ offset: true }),
});
export type LogSeal = z.output<typeof logSeal>;

/** The bytes that a gateway signs (Ed25519) to end a log part. */
export function sealBytes(seal: LogSeal): Uint8Array {
  const { sessionId, kind, part, chunks, bytes, digest, startedAt, endedAt } = seal;
  const fields = ['yagura-log-seal-1', sessionId, kind, part, chunks, bytes, digest, startedAt, endedAt];
  return new TextEncoder().encode(fields.join('\n'));
}

/** Why a log has ended: by the remote side, with a lost connection, by an order or the end of the gateway, or failed. */
export const logEndReasons = ['ended', 'disconnected', 'closed', 'failed'] as const;
export type LogEndReason = (typeof logEndReasons)[number];

/** What a gateway signs at the end of a log, when all of its parts are sealed. */
export const logEnd = z.object({
  sessionId,
  kind: logKind,
  /** Number of the last part. */
  parts: part,
  /** Of all parts together. */
  bytes: z.int().min(0),
  /** SHA-256 of `partDigestsBytes` in base64url. */
  digest: logSeal.shape.digest,
  reason: z.enum(logEndReasons),
  endedAt: z.iso.datetime({ offset: true }),
});
export type LogEnd = z.output<typeof logEnd>;

/** The bytes that a gateway signs (Ed25519) to end a log. */
export function logEndBytes(end: LogEnd): Uint8Array {
  const { sessionId, kind, parts, bytes, digest, reason, endedAt } = end;
  const fields = ['yagura-log-end-1', sessionId, kind, parts, bytes, digest, reason, endedAt];
  return new TextEncoder().encode(fields.join('\n'));
}

/** What the digest of a log's end is made of: the digests of all parts in their order. */
export function partDigestsBytes(digests: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(['yagura-log-parts-1', ...digests].join('\n'));
}

/** Gateway to server. */
export const gatewayMessage = z.discriminatedUnion('type', [
  /** First message of a connection. */
  z.object({
    type: z.literal('hello'),
    version: z.string().max(64),
    protocols: z.array(z.int().min(1).max(1000)).max(10),
    /** Ed25519 public key in base64url that log parts are signed with. */
    signingKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    /** Sessions that are still open at the gateway. */
    sessions: z.array(z.object({ sessionId, state: z.enum(['connecting', 'connected']) })).max(1000),
  }),
  z.object({
    type: z.literal('opened'),
    sessionId,
    /** SHA-256 fingerprint of the host key, such as `SHA256:...`; absent for telnet. */
    hostKey: fingerprint.optional(),
  }),
  z.object({
    type: z.literal('failed'),
    sessionId,
    code: streamCode,
    params: z.record(z.string().max(64), z.string().max(255)).default({}),
  }),
  /** The remote side has ended the session, or the connection to it is lost. */
  z.object({ type: z.literal('ended'), sessionId, reason: z.enum(['ended', 'disconnected']) }),
  /** The gateway has refused a viewer, or ended its stream. */
  z.object({ type: z.literal('detached'), sessionId, viewerId, code: streamCode }),
  /**
   * A log chunk follows in data frames of `channel` (at least `firstGatewayChannel`) and an end frame. The server answers
   * `stored`, or resets the channel, before or after the end frame (see `isRefusedForNow`).
   */
  z.object({
    type: z.literal('log'),
    sessionId,
    keyId: z.uuid(),
    kind: logKind,
    part,
    /** Counts from 0. */
    chunk: z.int().min(0).max(1_000_000),
    channel,
  }),
  /** A log part is complete. */
  z.object({ type: z.literal('sealed'), ...logSeal.shape, signature: z.string().max(128) }),
  /** A log is complete: no part follows. */
  z.object({ type: z.literal('log-end'), ...logEnd.shape, signature: z.string().max(128) }),
  /** Answer to `list-files`. */
  z.object({
    type: z.literal('files'),
    requestId: z.uuid(),
    items: z.array(fileEntry.extend({ name: z.string().max(4096) })).max(2000),
    isTruncated: z.boolean(),
  }),
  z.object({ type: z.literal('files-failed'), requestId: z.uuid(), code: z.string().max(64) }),
]);
export type GatewayMessage = z.output<typeof gatewayMessage>;
type ReportType = Exclude<GatewayMessage['type'], 'hello'>;
export type GatewayHello = Extract<GatewayMessage, { type: 'hello' }>;
/** Any message after the hello. */
export type GatewayReport<T extends ReportType = ReportType> = Extract<GatewayMessage, { type: T }>;

const fileTransfer = z.object({
  rootDirectory: z.string(),
  host: host(),
  port: z.int(),
  /** Encrypted credential. */
  credential: z.string(),
});

/** Server to gateway. */
export const gatewayOrder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), protocol: z.literal(1), serverTime: z.string() }),
  z.object({
    type: z.literal('open'),
    sessionId,
    protocol: z.enum(protocols),
    host: host(),
    port: z.int(),
    /** See `parameterSchemas`. */
    parameters: z.record(z.string(), z.unknown()),
    /** Encrypted to this gateway; null for a destination without a credential. */
    credential: z.string().nullable(),
    hostKey: z.object({ policy: z.enum(hostKeyPolicies), pins: z.array(fingerprint) }),
    /** Null if there is no log key: then nothing is recorded. */
    recording: z
      .object({
        keyId: z.uuid(),
        /** age recipient. */
        publicKey: z.string(),
        /** The session ends if it cannot be recorded. */
        strict: z.boolean(),
      })
      .nullable(),
    fileTransfer: fileTransfer.nullable(),
  }),
  z.object({
    type: z.literal('attach'),
    sessionId,
    viewerId,
    /** The viewer's records are the data frames of this channel. */
    channel,
    userId: z.uuid(),
    displayName: z.string(),
    /** `watch` never gets control without asking; `control` gets it if nobody has it. */
    mode: z.enum(viewerModes),
    /** See `sealStreamSecret`. */
    streamSecret: z.string().max(4096),
  }),
  z.object({ type: z.literal('detach'), sessionId, viewerId }),
  z.object({ type: z.literal('close'), sessionId }),
  /** The chunk is stored; the gateway can delete it. */
  z.object({
    type: z.literal('stored'),
    sessionId,
    kind: logKind,
    part,
    /** Null confirms the seal of the part. */
    chunk: z.int().nullable(),
  }),
  /** The end of the log is stored. */
  z.object({ type: z.literal('log-end-stored'), sessionId, kind: logKind }),
  /** The end of a part, or of the log, is not stored, because the session is unknown or of another gateway. */
  z.object({
    type: z.literal('log-refused'),
    sessionId,
    kind: logKind,
    /** Null for the end of the log. */
    part: z.int().nullable(),
  }),
  z.object({ type: z.literal('list-files'), requestId: z.uuid(), sessionId, path: z.string() }),
]);
export type GatewayOrder = z.output<typeof gatewayOrder>;
