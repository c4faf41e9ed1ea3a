// API calls that do not belong to a resource, with their parameters and replies.
import { z } from 'zod';
import {
  bulkExport,
  bulkImport,
  bulkImportDetail,
  pageSchema,
  planError,
  planOperations,
  planRow,
} from './alerthub/bulk/bulk-job.ts';
import { eventExplanation } from './alerthub/decision-log.ts';
import { foreignReply, hasFieldOf, send, type Transport } from './http/transport.ts';
import { recording } from './pigeon/guidance.ts';
import { result } from './pigeon/result.ts';
import type { App, Call } from './resource/define-resource.ts';
import { fillPath } from './resource/define-resource.ts';
import * as field from './resource/field.ts';

export interface StandaloneCall {
  app: App;
  method: Call['method'];
  /** API path with parameters in braces. */
  path: string;
  /** Summary in the API documentation. */
  summary: string;
  /** Full permission string; null if the call is open to everyone. */
  permission: string | null;
  body?: z.ZodType;
  /** The body is multipart/form-data with a file in this field. */
  upload?: string;
  /** Query parameters besides those of a page, for the documentation. */
  query?: z.ZodObject;
  reply: z.ZodType;
  /** Media type of a reply that is not JSON. */
  replyType?: string;
  /** Status of the success reply; default 200. */
  status?: 200 | 201;
}

export const standaloneCalls = {
  'client-info': {
    app: 'space',
    method: 'GET',
    path: '/api/internal/{identityProvider}/client-info',
    summary: 'How to sign in',
    permission: null,
    /** `issuer` and `cliClientId` are extensions that a space may omit. */
    reply: z.object({
      domain: z.string(),
      clientId: z.string(),
      issuer: z.string().optional(),
      cliClientId: z.string().optional(),
    }),
  },
  'role-map': {
    app: 'space',
    method: 'GET',
    path: '/api/internal/apps/policy/role-map',
    summary: 'Permissions of each role',
    permission: 'self:role-map',
    reply: z.record(z.string(), z.array(z.string())),
  },
  'current-api-token': {
    app: 'space',
    method: 'GET',
    path: '/api/space/current-api-token',
    summary: 'What the API token of the request grants; 404 for a signed-in user',
    permission: 'self:current-api-token',
    reply: z.object({
      apiTokenId: z.uuid(),
      displayName: z.string(),
      /** Grants everything. */
      privileged: z.boolean(),
      /** Roles that are granted: those of the token which its owner currently has. */
      roles: z.array(z.string()),
      expiresAt: z.string().nullable(),
    }),
  },
  'pigeon-calls': {
    app: 'pigeon',
    method: 'GET',
    path: '/api/apps/pigeon/calls',
    summary: 'List call results; the same list as `/api/apps/pigeon/results`, for older clients',
    permission: 'pigeon:results:list',
    reply: pageSchema(result.shape),
  },
  'space-export': {
    app: 'space',
    method: 'GET',
    path: '/api/internal/space/export',
    summary: 'Everything of the space, one JSON text a line, without secrets',
    permission: 'space:cancellation:export',
    reply: z.string(),
    replyType: 'application/x-ndjson',
  },
  'event-why': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/events/{eventId}/why',
    summary:
      'Explain an event of any scope: what raised it and what it caused; `message` and `rule` are null without permission to read messages, `deliveries` without permission to read action records',
    permission: 'alerthub:events:get',
    reply: eventExplanation,
  },
  'guidance-recording-create': {
    app: 'pigeon',
    method: 'POST',
    path: '/api/apps/pigeon/guidances/{guidanceId}/recording',
    summary:
      'Record a guidance: multipart/form-data with a WAV file of at most 5 MB and 10 minutes in the field `file`',
    permission: 'pigeon:guidances:update',
    upload: 'file',
    reply: recording,
  },
  'bulk-imports-processing': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/$all/imports/processing',
    summary: 'List the imports under way, of every kind',
    permission: 'alerthub:bulk-operations:import-list',
    reply: pageSchema(bulkImport),
  },
  'bulk-imports': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports',
    summary: 'List the imports of a kind',
    permission: 'alerthub:bulk-operations:import-list',
    reply: pageSchema(bulkImport),
  },
  'bulk-import-create': {
    app: 'alerthub',
    method: 'POST',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports',
    summary: 'Plan the import of a CSV file: multipart/form-data with a field `file`; nothing is changed yet',
    permission: 'alerthub:bulk-operations:import-file',
    upload: 'file',
    reply: bulkImport,
  },
  'bulk-import': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports/{importId}',
    summary: 'Show an import: the numbers of its plan and its first 1,000 errors',
    permission: 'alerthub:bulk-operations:import-get',
    reply: bulkImportDetail,
  },
  'bulk-import-rows': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports/{importId}/rows',
    summary: 'List the rows of a plan, with each item before and after; `operation` picks one kind of rows',
    permission: 'alerthub:bulk-operations:import-get',
    query: z.object({ operation: field.choice(planOperations).optional() }),
    reply: pageSchema(planRow),
  },
  'bulk-import-errors': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports/{importId}/errors',
    summary: 'List the errors of a plan',
    permission: 'alerthub:bulk-operations:import-get',
    reply: pageSchema(planError),
  },
  'bulk-import-exec': {
    app: 'alerthub',
    method: 'POST',
    path: '/api/apps/alerthub/bulk-operations/{kind}/imports/{importId}/exec',
    summary: 'Carry a plan out in one transaction; 409 when what it was made from has changed since',
    permission: 'alerthub:bulk-operations:import-exec',
    body: z.object({}),
    reply: z.literal(''),
    replyType: 'text/plain',
  },
  'bulk-exports': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/exports',
    summary: 'List the exports of a kind',
    permission: 'alerthub:bulk-operations:export-list',
    reply: pageSchema(bulkExport),
  },
  'bulk-export-create': {
    app: 'alerthub',
    method: 'POST',
    path: '/api/apps/alerthub/bulk-operations/{kind}/exports',
    summary:
      'Begin an export; with `bom` the file begins with a byte order mark, for spreadsheet programs; with `raw` text that such a program would evaluate as a formula is written unchanged',
    permission: 'alerthub:bulk-operations:export-exec',
    body: z.object({ bom: field.flag().default(false), raw: field.flag().default(false) }),
    reply: bulkExport,
  },
  'bulk-export': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/exports/{exportId}',
    summary: 'Show an export',
    permission: 'alerthub:bulk-operations:export-get',
    reply: bulkExport,
  },
  'bulk-export-file': {
    app: 'alerthub',
    method: 'GET',
    path: '/api/apps/alerthub/bulk-operations/{kind}/exports/{exportId}/file',
    summary: 'Download the file of an export (text/csv)',
    permission: 'alerthub:bulk-operations:export-file',
    reply: z.string(),
    replyType: 'text/csv',
  },
} as const satisfies Record<string, StandaloneCall>;

export type StandaloneCallName = keyof typeof standaloneCalls;
export type StandaloneReply<N extends StandaloneCallName> = z.output<(typeof standaloneCalls)[N]['reply']>;

export interface StandaloneRequest {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

/** Sends one of the fixed calls. Throws Problem. */
export async function callStandalone<N extends StandaloneCallName>(
  transport: Transport,
  name: N,
  { params = {}, query, body, signal }: StandaloneRequest = {},
): Promise<StandaloneReply<N>> {
  const { method, path, reply }: StandaloneCall = standaloneCalls[name];
  const request = {
    method,
    path: fillPath(path, params),
    query,
    signal,
    ...(body === undefined ? {} : { body }),
  };
  const { data } = await send<StandaloneReply<N>>(transport, request);
  if (reply instanceof z.ZodObject && !hasFieldOf(data, Object.keys(reply.shape)))
    throw foreignReply(transport);
  return data;
}
