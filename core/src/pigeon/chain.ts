import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { maxPhones } from './call-constants.ts';
import { loopLimit, maxStops, stop } from './callflow.ts';
import { phone } from './contact.ts';
import { exactlyOne } from './exactly-one.ts';
import { guidanceBody } from './guidance.ts';
import { quietHours } from './quiet-hours.ts';
import { previewAssumptions, ringPreview } from './ring-preview.ts';

/** An unregistered contact for a one-off call; the phones are called in order. */
const inlineContact = z.object({
  displayName: field.text(30).default(''),
  phones: field.list(phone, maxPhones).min(1),
});

export const inlineCallflow = z.object({
  displayName: field.text(30).default(''),
  loopLimit: loopLimit().default(1),
  contacts: field.list(z.union([stop, inlineContact]), maxStops).min(1),
  transferTo: stop.nullable().default(null),
  endsAfterFailedTransfer: field.flag().default(false),
  quietHours: quietHours.nullable().default(null),
});
export const inlineGuidance = z.object({ displayName: field.text(30).default(''), ...guidanceBody });

const invokeParams = z
  .object({
    callflowId: field.reference('callflow').optional(),
    callflow: field.withKind('json', inlineCallflow).optional(),
    guidanceId: field.reference('guidance').optional(),
    guidance: field.withKind('json', inlineGuidance).optional(),
    /** Values for the templates; unused keys are stored with the result as well. */
    parameters: field.withKind('json', z.record(z.string(), z.unknown())).default({}),
  })
  .check(exactlyOne('callflowId', 'callflow'))
  .check(exactlyOne('guidanceId', 'guidance'));
export type InvokeParams = z.output<typeof invokeParams>;

/** `rejected` has a reason, and HTTP status 200 for compatibility with existing clients. */
export const chainReply = z.object({
  params: field.json(),
  resultId: field.uuid().optional(),
  status: field.choice(['requested', 'rejected']),
  errorDescriptor: field.object({ title: field.text(), detail: field.text() }).optional(),
});
export type ChainReply = z.output<typeof chainReply>;

/** Calls that start and stop a call chain; its outcome is a `result`. */
export const chain = defineResource({
  app: 'pigeon',
  name: 'chain',
  noun: { en: ['chain', 'chains'], ja: 'チェーン' },
  path: '/api/apps/pigeon/chain',
  id: 'resultId',
  shape: z.object({ resultId: field.uuid() }),
  verbs: [],
  columns: ['resultId'],
  permission: 'pigeon:chain',
  calls: {
    invoke: {
      method: 'POST',
      path: '/invoke',
      on: 'collection',
      permission: 'invoke',
      body: z.object({ params: field.withKind('object', invokeParams) }),
      reply: chainReply,
    },
    /** Who rings when, without calling anybody. */
    preview: {
      method: 'POST',
      path: '/preview',
      on: 'collection',
      permission: 'invoke',
      audited: false,
      body: z.object({ params: field.withKind('object', invokeParams), ...previewAssumptions }),
      reply: ringPreview,
    },
    abort: {
      method: 'POST',
      path: '/abort',
      on: 'collection',
      permission: 'abort',
      danger: true,
      body: z.object({ resultId: field.reference('result') }),
      reply: z.object({ resultId: field.uuid(), status: field.choice(['requested', 'rejected']) }),
    },
  },
});
