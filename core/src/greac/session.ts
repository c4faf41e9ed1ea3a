import { z } from 'zod';
import { publicKey } from '../kroker/public-key.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { fileKinds, logKinds, protocols } from './session-parameters.ts';
import { logEndReasons } from './stream/gateway-protocol.ts';

export const sessionStatuses = ['opened', 'closed'] as const;
/**
 * Why a session was closed. By users: `ended`, `forced`, `left`. `remote` is the end by the destination, such as
 * `exit` in its shell, `disconnected` a lost connection, `failed` one that was never made, `limit` one too many.
 */
export const closeReasons = ['ended', 'forced', 'left', 'remote', 'disconnected', 'failed', 'limit'] as const;

/** A session closes this long after its last participant has left, in milliseconds. */
export const emptySessionTimeoutMs = 5 * 60 * 1000;
/**
 * A participant without a presence signal for this long has left (closed window, sleeping machine), in
 * milliseconds.
 */
export const presenceTimeoutMs = 60_000;

const participant = z.object({
  userId: field.uuid(),
  displayName: field.text(),
  joinedAt: field.dateTime(),
});

/** Why a session could not be connected. */
const failure = field.object({
  /** See `streamCodes`. */
  code: field.text(64),
  params: field.keyValues(),
});

/** What a client needs to open the stream of a session, see `stream/viewer-protocol.ts`. */
const attachment = z.object({
  /** Sent as a subprotocol of the stream's WebSocket; valid once, for 30 seconds, for this user. */
  ticket: field.withKind('secret', z.string()),
  /** The viewer's id in the stream. */
  viewerId: field.uuid(),
  /** The gateway and the key to which the stream secret is encrypted. */
  krokerId: field.uuid(),
  publicKey: publicKey(),
  thumbprint: field.text(43),
  protocol: field.choice(protocols),
  /** See `parameterSchemas`. */
  parameters: z.record(z.string(), z.unknown()),
  /** Name of the destination. */
  displayName: field.text(),
});
export type SessionAttachment = z.output<typeof attachment>;

/** A remote session: opened at a destination, shared by the users who join it, closed permanently. */
export const session = defineResource({
  app: 'greac',
  name: 'session',
  noun: { en: ['session', 'sessions'], ja: 'セッション' },
  path: '/api/apps/greac/sessions',
  screen: '/apps/greac/sessions',
  id: 'sessionId',
  title: 'destinationName',
  shape: z.object({
    sessionId: field.uuid(),
    destinationId: field.reference('destination'),
    /** Name of the destination when the session was opened. */
    destinationName: field.text(),
    protocol: field.choice(protocols),
    remarks: field.remarks(),
    /** The message that it was opened for. */
    messageId: field.reference('message').nullable(),
    status: field.choice(sessionStatuses, { opened: 'progress', closed: 'neutral' }),
    participants: field.list(participant),
    openedAt: field.dateTime(),
    connectedAt: field.dateTime().nullable(),
    disconnectedAt: field.dateTime().nullable(),
    closedAt: field.dateTime().nullable(),
    closeReason: field.choice(closeReasons).nullable(),
    failure: failure.nullable(),
    /** SHA-256 fingerprint of the host key, such as `SHA256:...`. */
    hostKey: field.text().nullable(),
    /** When an open session without participants will close. */
    closesAt: field.dateTime().nullable(),
    /** Which logs can be downloaded. */
    logs: field.object({ text: field.flag(), video: field.flag() }),
    /** When they were deleted at the end of their retention. */
    logsDeletedAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({
    destinationId: field.reference('destination'),
    remarks: field.remarks(),
    /** The message that it is opened for; one that is absent from an edit stays. */
    messageId: field.uuid().nullable().optional(),
  }),
  verbs: ['list', 'show', 'create', 'edit'],
  columns: ['status', 'destinationName', 'protocol', 'participants', 'openedAt', 'closedAt', 'closeReason'],
  detail: [
    'status',
    'destinationId',
    'protocol',
    'messageId',
    'participants',
    'logs',
    'logsDeletedAt',
    'openedAt',
    'connectedAt',
    'disconnectedAt',
    'closesAt',
    'closedAt',
    'closeReason',
    'failure',
    'hostKey',
    'createdAt',
    'updatedAt',
  ],
  time: 'openedAt',
  permission: 'greac:sessions',
  calls: {
    /** Joins the session; repeated calls are presence signals. */
    join: { method: 'POST', path: '/join', on: 'item', permission: 'join' },
    attach: {
      method: 'POST',
      path: '/attach',
      on: 'item',
      permission: 'join',
      reply: attachment,
    },
    leave: { method: 'POST', path: '/leave', on: 'item', permission: 'join' },
    close: { method: 'POST', path: '/close', on: 'item', permission: 'close', danger: true },
    'close-force': {
      method: 'POST',
      path: '/close-force',
      on: 'item',
      permission: 'close-force',
      danger: true,
    },
  },
});

/**
 * What is known of a part of a recording. `open`: still being written. `cut`: no end was signed, or chunks are
 * missing. `altered`: the content is not what was signed. `unverified`: the signature is invalid.
 */
export const logVerdicts = ['open', 'complete', 'cut', 'altered', 'unverified'] as const;
export type LogVerdict = (typeof logVerdicts)[number];

const logPart = z.object({
  kind: field.choice(logKinds),
  /** Counts from 1; a gateway that was interrupted begins a new part. */
  part: field.count(),
  /** Key to which the part is encrypted; null if nothing is stored. */
  keyId: field.uuid().nullable(),
  /** Stored so far. */
  chunks: field.count(),
  bytes: field.bytes(),
  verdict: field.choice(logVerdicts),
  /** What the gateway has signed at the end of the part, see `sealBytes`. */
  seal: z
    .object({
      chunks: field.count(),
      bytes: field.bytes(),
      /** SHA-256 of the encrypted part in base64url. */
      digest: field.text(),
      startedAt: field.text(),
      endedAt: field.text(),
      /** Ed25519, in base64url. */
      signature: field.text(),
      /** The gateway's public key when the seal arrived, in base64url. */
      signingKey: field.text(),
    })
    .nullable(),
  createdAt: field.dateTime(),
});
export type SessionLogPart = z.output<typeof logPart>;

/** What the gateway has signed at the end of a log, see `logEndBytes`. */
const logEnd = z.object({
  kind: field.choice(logKinds),
  /** Number of the last part. */
  parts: field.count(),
  bytes: field.bytes(),
  /** SHA-256 of the digests of the parts, in base64url; see `partDigestsBytes`. */
  digest: field.text(),
  reason: field.choice(logEndReasons),
  endedAt: field.text(),
  /** Ed25519, in base64url. */
  signature: field.text(),
  /** The gateway's public key when the end arrived, in base64url. */
  signingKey: field.text(),
  /** Whether the signature is valid. */
  isSigned: field.flag(),
});

const logParts = z.object({
  items: z.array(logPart),
  /** One for each log that has ended. */
  ends: z.array(logEnd),
  /** The session is open: parts may follow. */
  isOpen: field.flag(),
});
/** See `judgeLog`. */
export type SessionLogParts = z.output<typeof logParts>;

const partQuery = z.object({ part: field.integer(1, 10_000).default(1) });

/** Recording of a session in parts, each encrypted to a log key. */
export const sessionLog = defineResource({
  app: 'greac',
  name: 'session-log',
  noun: { en: ['session log', 'session logs'], ja: 'セッションログ' },
  path: '/api/internal/apps/greac/sessions',
  id: 'sessionId',
  shape: z.object({ sessionId: field.uuid() }),
  verbs: [],
  columns: ['sessionId'],
  permission: 'greac:sessions',
  calls: {
    'log-parts': {
      method: 'GET',
      path: '/log-parts',
      on: 'item',
      permission: 'text-log',
      reply: logParts,
    },
    'text-log': {
      method: 'GET',
      path: '/text-log',
      on: 'item',
      permission: 'text-log',
      audited: true,
      query: partQuery,
      replyType: 'application/octet-stream',
    },
    'video-log': {
      method: 'GET',
      path: '/video-log',
      on: 'item',
      permission: 'video-log',
      audited: true,
      query: partQuery,
      replyType: 'application/octet-stream',
    },
  },
});

const file = z.object({
  name: field.text(),
  kind: field.choice(fileKinds),
  size: field.bytes().nullable(),
  modifiedAt: field.dateTime().nullable(),
});

/** Files on the remote host of an open session. */
export const sessionStorage = defineResource({
  app: 'greac',
  name: 'session-storage',
  noun: { en: ['session storage', 'session storages'], ja: 'セッションのストレージ' },
  path: '/api/internal/apps/greac/storage',
  id: 'sessionId',
  shape: z.object({ sessionId: field.uuid() }),
  verbs: [],
  columns: ['sessionId'],
  permission: 'greac:sessions',
  calls: {
    files: {
      method: 'GET',
      path: '/files',
      on: 'item',
      permission: 'join',
      /** Not all files are listed if `isTruncated`. */
      reply: z.object({ items: z.array(file), isTruncated: field.flag() }),
    },
  },
});
