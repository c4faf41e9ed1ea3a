import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { decisionLog, elementDecision } from './decision-log.ts';
import { event } from './event.ts';
import { receiveSlotKinds } from './receive-slot.ts';

/** Result of one rule for one message. */
export const ruleRecord = z.object({
  ruleId: field.reference('rule'),
  displayName: field.text(),
  outcome: field.choice(['matched', 'unmatched', 'failed', 'disabled'], {
    matched: 'success',
    unmatched: 'neutral',
    failed: 'danger',
    disabled: 'neutral',
  }),
  evaluatedAt: field.dateTime(),
  /** Results of the elements of a list, for a rule that is evaluated for each of them. */
  elements: field.list(elementDecision).optional(),
});

export const message = defineResource({
  app: 'alerthub',
  name: 'message',
  noun: { en: ['message', 'messages'], ja: 'メッセージ' },
  path: '/api/apps/alerthub/message/list',
  itemPath: '/api/apps/alerthub/message/detail/{messageId}',
  screen: '/apps/alerthub/messages',
  id: 'messageId',
  shape: z.object({
    messageId: field.uuid(),
    receiveSlotId: field.reference('receive-slot'),
    receiveSlotKind: field.choice(receiveSlotKinds),
    /** Headline of the body's data, else its beginning, or the subject of a mail, on one line. */
    summary: field.text(200),
    size: field.bytes(),
    receivedAt: field.dateTime(),
    evaluatedAt: field.dateTime().nullable(),
    ruleResult: field.object({ matched: field.count(), total: field.count() }).nullable(),
    /**
     * Detail view only. Webhook: `body` as text, `data` if the body is JSON, a form or XML, `dataError` if it
     * claims to be but is not. Mail: `subject`, `text`, `html`,
     * `attachments` as a list of `{index, filename, contentType, size}`, and in `cut` the parts too large to
     * be stored apart from the raw bytes.
     */
    content: field.json().optional(),
    /**
     * Detail view only: `headers`; for a webhook `requestUrl`, for a mail `from` as `{name, email}` and
     * `recipient`.
     */
    metadata: field.json().optional(),
  }),
  verbs: ['list', 'show'],
  columns: ['receivedAt', 'receiveSlotId', 'summary', 'ruleResult', 'size'],
  detail: ['receivedAt', 'receiveSlotId', 'receiveSlotKind', 'size', 'ruleResult', 'evaluatedAt'],
  filterable: ['messageId', 'receiveSlotId', 'receiveSlotKind', 'summary', 'size', 'receivedAt'],
  sortable: ['receivedAt', 'size', 'receiveSlotId'],
  defaultSort: '-receivedAt',
  time: 'receivedAt',
  searchable: true,
  permission: 'alerthub:messages',
  calls: {
    events: {
      method: 'GET',
      path: '/events',
      on: 'item',
      permission: 'get',
      reply: event.shape,
      paged: true,
    },
    'rule-records': {
      method: 'GET',
      path: '/rule-records',
      on: 'item',
      permission: 'get',
      reply: ruleRecord,
      paged: true,
    },
    /** The raw bytes as received: a mail as a file, the body of a webhook. */
    raw: { method: 'GET', path: '/raw', on: 'item', permission: 'get', replyType: '*/*' },
    /** One attachment of a mail, selected by `index` in the query. */
    attachment: {
      method: 'GET',
      path: '/attachment',
      on: 'item',
      permission: 'get',
      query: z.object({ index: field.integer(0, 9999) }),
      replyType: '*/*',
    },
    /** The HTML of a mail as a page without scripts and without external resources. */
    html: { method: 'GET', path: '/html', on: 'item', permission: 'get', replyType: 'text/html' },
    why: { method: 'GET', path: '/why', on: 'item', permission: 'get', reply: decisionLog },
  },
});
