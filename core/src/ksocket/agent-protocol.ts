// Messages between the server and an on-site agent over the WebSocket `/api/ksocket/agent`: one JSON object
// per message. An agent speaks version 1 until the server has answered its `hello` with `welcome`.
import { z } from 'zod';
import { packageShape, reportedInventoryShape, windowsUpdateShape } from '../inventory/host-inventory.ts';
import {
  numberUpTo,
  reportCode,
  scanEstimateShape,
  scanPaceShape,
  scanPhases,
} from '../inventory/scan-report.ts';
import * as field from '../resource/field.ts';

export const agentPath = '/api/ksocket/agent';

/** Versions of the protocol that the server speaks. */
export const agentProtocols = [1, 2] as const;
export type AgentProtocol = (typeof agentProtocols)[number];

/** Optional abilities that an agent announces; the server uses none that was not announced. */
export const agentCapabilities = [
  'collect.snmp',
  'collect.ssh',
  'discover.neighbours',
  'discover.tcp',
  'estimate',
  'pause',
] as const;
export type AgentCapability = (typeof agentCapabilities)[number];

/** Limits on what an agent may send. */
export const agentLimits = {
  /** Bytes per message. */
  message: 8 * 1024 * 1024,
  /** Bytes of JSON at which an agent starts the next chunk. */
  chunk: 7 * 1024 * 1024,
  hostsPerMessage: 200,
  refusalsPerMessage: 1000,
  packagesPerHost: 10_000,
  windowsUpdatesPerHost: 5000,
  /** Hosts per scan. */
  hosts: 65_536,
  /** Refusals per scan. */
  refusals: 262_144,
  /** Bytes of the response to a request. */
  answer: 65_536,
  /** Bytes of a host's free-form extra fields as JSON. */
  extraFields: 65_536,
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
      /** SHA-256 fingerprint of the SSH host key, such as `SHA256:...`; always of the same key type. */
      sshHostKey: z.string().max(255).nullable().optional(),
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

/** A host, or a service of it, that answered but gave no data. */
const refusal = z.object({
  addr: z.union([z.ipv4(), z.ipv6()]),
  /** Protocol that was tried, such as `ssh` or `snmp`. */
  protocol: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  code: reportCode(),
  /** Name of the credential file, never its content. */
  credential: z.string().max(255).optional(),
});
export type ScanRefusal = z.output<typeof refusal>;

const hello = {
  type: z.literal('hello'),
  version: z.string().max(64),
  scanning: z.array(snapshotId).max(10).default([]),
};
const progress = {
  type: z.literal('progress'),
  snapshotId,
  probed: numberUpTo(1e9),
  toProbe: numberUpTo(1e9),
};
const hosts = {
  type: z.literal('hosts'),
  snapshotId,
  chunk: numberUpTo(100_000),
  hosts: z.array(scannedHost).max(agentLimits.hostsPerMessage),
};

/** Messages that are the same in every version. */
const unchanged = [
  /** All hosts have been sent, in this number of chunks. */
  z.object({ type: z.literal('done'), snapshotId, chunks: numberUpTo(100_001) }),
  z.object({
    type: z.literal('failed'),
    snapshotId,
    /** In English, for a server that does not know the code. */
    reason: z.string().max(1000),
    code: reportCode().optional(),
    params: z
      .record(z.string().max(64), z.union([z.string().max(500), z.number()]))
      .refine((params) => Object.keys(params).length <= 10)
      .optional(),
  }),
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
  /** There was no response, or no estimate could be made. */
  z.object({ type: z.literal('unanswered'), requestId, code: reportCode() }),
] as const;

/** Agent to server, version 1. */
export const agentMessage = z.discriminatedUnion('type', [
  /** First message of a connection; the fields that are new in version 2 are read whatever the version. */
  z.object({
    ...hello,
    /** Versions that the agent speaks. */
    protocols: z.array(z.int().min(1).max(1000)).max(10).default([1]),
    capabilities: z
      .array(z.string().regex(/^[a-z][a-z0-9.-]{0,63}$/))
      .max(50)
      .default([]),
    /** The agent's time. */
    clock: field.dateTime().optional(),
  }),
  z.object(progress),
  /** Chunks are numbered from 0; a chunk that is sent again is stored once. */
  z.object({ ...hosts, hosts: hosts.hosts.min(1) }),
  ...unchanged,
]);

/** Agent to server, version 2. */
export const agentMessage2 = z.discriminatedUnion('type', [
  agentMessage.def.options[0],
  z.object({
    ...progress,
    phase: z.enum(scanPhases).optional(),
    /** Hosts found so far. */
    found: numberUpTo(1e9).optional(),
    /** Packets sent per second. */
    perSecond: z.number().min(0).max(1e9).optional(),
    secondsLeft: numberUpTo(1e9).optional(),
    paused: z.boolean().optional(),
  }),
  /** A chunk contains hosts, refusals or both. */
  z
    .object({ ...hosts, refusals: z.array(refusal).max(agentLimits.refusalsPerMessage).default([]) })
    .refine((chunk) => chunk.hosts.length + chunk.refusals.length > 0, { path: ['hosts'] }),
  z.object({ type: z.literal('estimated'), requestId, ...scanEstimateShape }),
  ...unchanged,
]);
export type AgentMessage = z.output<typeof agentMessage2>;
export type AgentMessageInput = z.input<typeof agentMessage2>;

const agentMessageTypes = new Set<unknown>(agentMessage2.def.options.map((one) => one.shape.type.value));

export type AgentMessageResult =
  | { message: AgentMessage }
  /** A type of a later version; ignored under version 2. */
  | { unknownType: string }
  /** Path of the first invalid field; empty if the message is not an object with a type. */
  | { invalid: string };

/** Reads a parsed message of an agent by the version that was agreed. */
export function readAgentMessage(value: unknown, protocol: AgentProtocol): AgentMessageResult {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (protocol > 1 && typeof type === 'string' && !agentMessageTypes.has(type)) return { unknownType: type };
  const parsed = (protocol === 1 ? agentMessage : agentMessage2).safeParse(value);
  if (!parsed.success) return { invalid: (parsed.error.issues[0]?.path ?? []).join('.') };
  const message = parsed.data;
  return { message: message.type === 'hosts' ? { refusals: [], ...message } : message };
}

const seedAddresses = z.array(z.string());

const scanOrderSettings = z.object({
  seeds: seedAddresses,
  allowed: seedAddresses,
  forbidden: seedAddresses,
  pace: z.object(scanPaceShape).optional(),
});
export type ScanOrderSettings = z.output<typeof scanOrderSettings>;

/** Server to agent; `welcome`, `estimate`, `pause` and `resume` only under version 2. */
export const serverMessage = z.discriminatedUnion('type', [
  /** From here on both sides speak this version. */
  z.object({ type: z.literal('welcome'), protocol: z.literal(2), serverTime: z.string() }),
  z.object({ type: z.literal('scan'), snapshotId, settings: scanOrderSettings }),
  z.object({ type: z.literal('abort'), snapshotId }),
  z.object({ type: z.literal('pause'), snapshotId }),
  z.object({ type: z.literal('resume'), snapshotId }),
  /** Answered with `estimated` or `unanswered`. */
  z.object({ type: z.literal('estimate'), requestId, settings: scanOrderSettings }),
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
