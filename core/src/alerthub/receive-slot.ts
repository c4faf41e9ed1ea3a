import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const receiveSlotKinds = ['webhook', 'email'] as const;
export const slotAddresses = ['primary', 'secondary'] as const;
/** Success status of the response to a message: 202, or 200 for senders that accept nothing else. */
export const slotAnswers = ['accepted', 'ok'] as const;
/** Why a request to a slot was refused. */
export const refusalReasons = [
  'slot-disabled',
  'rate-limit',
  'too-large',
  'method-not-allowed',
  'disconnected',
  'unusable',
  'subscription-refused',
  'unavailable',
] as const;
export const watchStates = ['expected', 'overdue', 'learning', 'irregular', 'unwatched'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  /** Set on creation and immutable. */
  kind: field.choice(receiveSlotKinds).default('webhook'),
  disabled: field.flag().default(false),
  /** Runs for every message, in addition to the rules. */
  runbookId: field.reference('runbook').nullable().default(null),
  /**
   * Maximum interval between messages; a longer silence raises an alert. Takes precedence over the learned
   * pattern.
   */
  heartbeatInterval: field.seconds(60, 2_592_000).nullable().default(null),
  /** Raises an alert if messages do not arrive at the hours at which they arrived in the past weeks. */
  watchHabit: field.flag().default(true),
  answer: field.choice(slotAnswers).default('accepted'),
  /** Also accepts messages sent with PUT. */
  allowPut: field.flag().default(false),
  /** Also accepts messages sent with GET; the query is the body, in the format of a form. */
  allowGet: field.flag().default(false),
  /**
   * Path of a value that identifies a delivery: a message with a value that arrived within 24 hours is a
   * duplicate and is not stored again.
   */
  deliveryIdPath: field.requiredText(512).nullable().default(null),
  /**
   * Confirms subscriptions of Amazon SNS, and answers the validation requests of Azure Event Grid and of
   * CloudEvents senders.
   */
  confirmSubscriptions: field.flag().default(false),
};

/** Refused requests of one sender for one reason. */
export const slotRefusal = z.object({
  refusedAt: field.dateTime(),
  reason: field.choice(refusalReasons),
  address: field.choice(slotAddresses),
  /** HTTP method, or SMTP. */
  method: field.text(20),
  /** Network address of the sender. */
  sender: field.text(),
  userAgent: field.text(),
  count: field.count(),
});

const shape = z.object({
  receiveSlotId: field.uuid(),
  ...body,
  /**
   * URLs or mail addresses. The same message received at both addresses of a slot within ten minutes counts
   * as one message.
   */
  primary: field.withKind('url', z.string()),
  secondary: field.withKind('url', z.string()),
  lastReceivedAt: field.dateTime().nullable(),
  watchState: field.choice(watchStates, {
    expected: 'success',
    overdue: 'danger',
    learning: 'neutral',
    irregular: 'neutral',
    unwatched: 'neutral',
  }),
  /** Latest expected time of the next message, if it can be predicted. */
  expectedBy: field.dateTime().nullable(),
  /** Why it is expected then, or why nothing is expected, in the caller's language. */
  watchReason: field.text(500),
  createdAt: field.dateTime(),
  updatedAt: field.dateTime(),
});

export const receiveSlot = defineResource({
  app: 'alerthub',
  name: 'receive-slot',
  noun: { en: ['receive slot', 'receive slots'], ja: '受信スロット' },
  path: '/api/apps/alerthub/receive-slots',
  screen: '/apps/alerthub/receive-slots',
  id: 'receiveSlotId',
  title: 'displayName',
  shape,
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'kind', 'disabled', 'watchState', 'lastReceivedAt', 'createdAt', 'updatedAt'],
  detail: [
    'kind',
    'primary',
    'secondary',
    'runbookId',
    'disabled',
    'heartbeatInterval',
    'watchHabit',
    'answer',
    'allowPut',
    'allowGet',
    'deliveryIdPath',
    'confirmSubscriptions',
    'watchState',
    'lastReceivedAt',
    'expectedBy',
    'watchReason',
    'createdAt',
    'updatedAt',
  ],
  filterable: ['receiveSlotId', 'displayName', 'kind', 'disabled', 'watchState', 'createdAt', 'updatedAt'],
  sortable: ['receiveSlotId', 'displayName', 'kind', 'disabled', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'alerthub:receive-slots',
  calls: {
    /** The latest refused requests; at most 20 combinations of sender and reason. */
    refusals: {
      method: 'GET',
      path: '/refusals',
      on: 'item',
      permission: 'get',
      reply: slotRefusal,
      paged: true,
    },
    regenerate: {
      method: 'POST',
      path: '/regenerate',
      on: 'item',
      permission: 'update',
      danger: true,
      /** The address to replace; the other one stays valid, so that senders can switch one by one. */
      body: z.object({ address: field.choice(slotAddresses) }),
      reply: shape,
    },
  },
});
