import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const receiveSlotKinds = ['webhook', 'email'] as const;
export const slotAddresses = ['primary', 'secondary'] as const;
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
};

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
