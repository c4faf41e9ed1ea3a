// What-if: changed settings against the messages of the last days. Nothing is stored but the answer, and nothing is sent.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const replayStatuses = ['processing', 'succeeded', 'aborted', 'failed'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export const replayKinds = ['rule', 'trigger', 'scope', 'mute-schedule'] as const;

/** One thing as it would be changed, made or, with a `body` of null, removed. */
const replayChange = z.object({
  kind: field.choice(replayKinds),
  /** Of the thing that is changed; null for a new one. */
  id: field.uuid().nullable().default(null),
  /** What holds a new trigger or mute schedule. */
  scopeId: field.reference('scope').nullable().default(null),
  /** The fields that change; the others stay as they are stored. */
  body: field.withKind('json', z.record(z.string(), z.unknown()).nullable()),
});
export type ReplayChange = z.output<typeof replayChange>;

export const replayRequest = z.object({
  days: field.integer(1, 30).default(7),
  /** Null for the settings as they are, which changes nothing. */
  change: field.withKind('json', replayChange.nullable()).default(null),
});
export type ReplayRequest = z.output<typeof replayRequest>;

const count = () => z.int().min(0);
const side = z
  .object({ delta: z.int(), previousSeverity: count(), severity: count(), status: z.string() })
  .nullable();

export const replayReport = z.object({
  /** From when to when; it ends early when there is more than one replay may take. */
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
