import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const receiveSlotKinds = ['webhook', 'email'] as const;
export const slotAddresses = ['primary', 'secondary'] as const;
export const watchStates = ['expected', 'overdue', 'learning', 'irregular', 'unwatched'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  /** Chosen when the slot is made, and kept. */
  kind: field.choice(receiveSlotKinds).default('webhook'),
  disabled: field.flag().default(false),
  /** Runs with every message, beside the rules. */
  runbookId: field.reference('runbook').nullable().default(null),
  /** A message is expected at least this often; a longer silence raises a notice. It comes before the habit. */
  heartbeatInterval: field.seconds(60, 2_592_000).nullable().default(null),
  /** Raises a notice when messages stay away that came at the same hours of the past weeks. */
  watchHabit: field.flag().default(true),
};

const shape = z.object({
  receiveSlotId: field.uuid(),
  ...body,
  /** URLs or mail addresses. Two of one slot: the same message arriving at both within ten minutes is one message. */
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
  /** When the next message is due at the latest, as far as that can be said. */
  expectedBy: field.dateTime().nullable(),
  /** Why it is expected then, or why nothing is; in the language of the caller. */
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
      /** The address that gets a new one; the other stays, so that senders can move over one after another. */
      body: z.object({ address: field.choice(slotAddresses) }),
      reply: shape,
    },
  },
});
