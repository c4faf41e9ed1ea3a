// Replays the messages of the last days with a changed configuration; only the result is stored and nothing
// is sent.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const replayStatuses = ['processing', 'succeeded', 'aborted', 'failed'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export const replayKinds = ['rule', 'trigger', 'scope', 'mute-schedule'] as const;

/** One item to change, create or, with a null `body`, remove. */
const replayChange = z.object({
  kind: field.choice(replayKinds),
  /** Id of the item to change; null for a new one. */
  id: field.uuid().nullable().default(null),
  /** Scope of a new trigger or mute schedule. */
  scopeId: field.reference('scope').nullable().default(null),
  /** The fields to change; the others keep their stored values. */
  body: field.withKind('json', z.record(z.string(), z.unknown()).nullable()),
});
export type ReplayChange = z.output<typeof replayChange>;

export const replayRequest = z.object({
  days: field.integer(1, 30).default(7),
  /** Null to replay the configuration unchanged. */
  change: field.withKind('json', replayChange.nullable()).default(null),
});

const count = () => z.int().min(0);
const side = z
  .object({ delta: z.int(), previousSeverity: count(), severity: count(), status: z.string() })
  .nullable();

export const replayReport = z.object({
  /** Period to replay; cut short if it exceeds the limits of a single replay. */
  since: z.string(),
  until: z.string(),
  whole: z.boolean(),
  seconds: z.number(),
  messages: count(),
  events: z.object({ same: count(), added: count(), lost: count(), moved: count() }),
  actions: z.object({ same: count(), added: count(), lost: count(), moved: count() }),
  differences: z.array(
    z.object({
      kind: z.enum(['added', 'lost', 'moved']),
      at: z.string(),
      scopeId: z.string(),
      severityName: z.string(),
      messageId: z.string().nullable(),
      before: side,
      after: side,
    }),
  ),
  actionDifferences: z.array(
    z.object({
      kind: z.enum(['added', 'lost']),
      at: z.string(),
      scopeId: z.string(),
      triggerId: z.string(),
      messageId: z.string().nullable(),
    }),
  ),
  /** Scopes that rules would have created; absent in results of older versions. */
  createdScopes: z.array(z.object({ scopeId: z.string(), displayName: z.string() })).optional(),
  curves: z.array(
    z.object({
      scopeId: z.string(),
      scopeName: z.string().nullable(),
      thresholds: z.object({ warning: z.int(), incident: z.int() }),
      points: z.array(z.object({ at: z.string(), before: count(), after: count() })),
    }),
  ),
});
export type ReplayReport = z.output<typeof replayReport>;

const replayState = z.object({
  replayId: field.uuid(),
  status: field.choice(replayStatuses),
  /** Percent. */
  progress: field.integer(0, 100).nullable(),
  errorDescriptor: field.object({ title: z.string(), detail: z.string() }).nullable(),
  result: field.withKind('json', replayReport.nullable()),
});
export type ReplayState = z.output<typeof replayState>;

export const replay = defineResource({
  app: 'alerthub',
  name: 'replay',
  noun: { en: ['replay', 'replays'], ja: 'リプレイ' },
  path: '/api/apps/alerthub/replays',
  id: 'replayId',
  shape: z.object({ replayId: field.uuid() }),
  verbs: [],
  columns: ['replayId'],
  permission: 'alerthub:replays',
  calls: {
    start: {
      method: 'POST',
      path: '',
      on: 'collection',
      permission: 'start',
      body: replayRequest,
      reply: z.object({ replayId: field.uuid(), status: field.choice(replayStatuses) }),
    },
    state: { method: 'GET', path: '/state', on: 'item', permission: 'get', reply: replayState },
    abort: { method: 'POST', path: '/abort', on: 'item', permission: 'abort' },
  },
});
