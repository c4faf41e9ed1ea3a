// Messages between the server and an on-site agent over the WebSocket `/api/ksocket/agent`: one JSON object
// per message.
import { z } from 'zod';
import { packageShape, reportedInventoryShape, windowsUpdateShape } from '../inventory/host-inventory.ts';
import * as field from '../resource/field.ts';

export const agentPath = '/api/ksocket/agent';

/** Limits on what an agent may send. */
export const agentLimits = {
  /** Bytes per message. */
  message: 8 * 1024 * 1024,
  hostsPerMessage: 200,
  packagesPerHost: 10_000,
  windowsUpdatesPerHost: 5000,
  /** Hosts per scan. */
  hosts: 65_536,
  /** Bytes of the response to a request. */
  answer: 65_536,
  /** Bytes of a host's free-form extra fields as JSON. */
  extraFields: 65_536,
} as const;

/**
 * Codes with which the server closes the connection (RFC 6455 section 7.4.2: 4000 to 4999 are for
 * applications).
 */
export const closeCodes = {
  /** The token was deleted or has expired. */
  revoked: 4001,
  /** A message was invalid. */
  malformed: 4002,
  /** The space's IP restriction no longer allows the agent's address. */
  blocked: 4003,
  /** No message was received for too long. */
  idle: 4008,
  /** Another agent connected to the slot. */
  replaced: 4009,
} as const;

const freeFormObject = () =>
  z.unknown().refine((value) => JSON.stringify(value ?? null).length <= agentLimits.extraFields);

export const scannedHost = z.object({
  ...reportedInventoryShape,
  extraFields: freeFormObject().default({}),
  /** Signatures that identify the host, as far as they could be read. */
  signatures: z
    .object({
      footprint: z.string().max(255).nullable().optional(),
      engineId: z.string().max(255).nullable().optional(),
      vsphereId: z.string().max(255).nullable().optional(),
    })
    .default({}),
  packages: z.array(z.object(packageShape)).max(agentLimits.packagesPerHost).default([]),
  windowsUpdates: z.array(z.object(windowsUpdateShape)).max(agentLimits.windowsUpdatesPerHost).default([]),
});
/** A host as reported by an agent, with defaults filled in. */
export type ScannedHost = z.output<typeof scannedHost>;
export type ScannedHostInput = z.input<typeof scannedHost>;

const snapshotId = field.uuid();
const requestId = field.uuid();

/** Agent to server. */
export const agentMessage = z.discriminatedUnion('type', [
  /** First message of a connection. */
  z.object({
    type: z.literal('hello'),
    version: z.string().max(64),
    scanning: z.array(snapshotId).max(10).default([]),
  }),
  z.object({
    type: z.literal('progress'),
    snapshotId,
    probed: z.int().min(0).max(1e9),
    toProbe: z.int().min(0).max(1e9),
  }),
  /** Chunks are numbered from 0; a chunk that is sent again is stored once. */
  z.object({
    type: z.literal('hosts'),
    snapshotId,
    chunk: z.int().min(0).max(100_000),
    hosts: z.array(scannedHost).min(1).max(agentLimits.hostsPerMessage),
  }),
  /** All hosts have been sent, in this number of chunks. */
  z.object({ type: z.literal('done'), snapshotId, chunks: z.int().min(0).max(100_001) }),
  z.object({ type: z.literal('failed'), snapshotId, reason: z.string().max(1000) }),
  z.object({ type: z.literal('aborted'), snapshotId }),
  /** The target's response to a request, up to the requested size. */
  z.object({
    type: z.literal('answer'),
    requestId,
    statusCode: z.int().min(100).max(599),
    headers: z.record(z.string().max(256), z.string().max(16_384)),
    body: z.string().max(agentLimits.answer),
    tooLong: z.boolean(),
  }),
  /** There was no response; the code is short and stable, such as ECONNREFUSED or TIMEOUT. */
  z.object({
    type: z.literal('unanswered'),
    requestId,
    code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
  }),
]);
export type AgentMessage = z.output<typeof agentMessage>;
export type AgentMessageInput = z.input<typeof agentMessage>;

const seedAddresses = z.array(z.string());

/** Server to agent. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('scan'),
    snapshotId,
    settings: z.object({ seeds: seedAddresses, allowed: seedAddresses, forbidden: seedAddresses }),
  }),
  z.object({ type: z.literal('abort'), snapshotId }),
  /** The chunk is stored; the agent can discard it. */
  z.object({ type: z.literal('stored'), snapshotId, chunk: z.int() }),
  /** A request for the agent to send, without following redirects; answered within `seconds`. */
  z.object({
    type: z.literal('request'),
    requestId,
    url: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    seconds: z.int(),
  }),
  /** The server has finished with the scan: stored completely, or no longer wanted. */
  z.object({ type: z.literal('closed'), snapshotId }),
]);
export type ServerMessage = z.output<typeof serverMessage>;
