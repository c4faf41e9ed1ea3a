import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const receiveSlotKinds = ['webhook', 'email'] as const;
export const slotAddresses = ['primary', 'secondary'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  /** Chosen when the slot is made, and kept. */
  kind: field.choice(receiveSlotKinds).default('webhook'),
  disabled: field.flag().default(false),
  /** Runs with every message, beside the rules. */
  runbookId: field.reference('runbook').nullable().default(null),
};

const shape = z.object({
  receiveSlotId: field.uuid(),
  ...body,
  /** URLs or mail addresses. Two of one slot: the same message arriving at both within ten minutes is one message. */
  primary: field.as('url', z.string()),
  secondary: field.as('url', z.string()),
  lastReceivedAt: field.dateTime().nullable(),
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
  columns: ['displayName', 'kind', 'disabled', 'lastReceivedAt', 'createdAt', 'updatedAt'],
  detail: [
    'kind',
    'primary',
    'secondary',
    'runbookId',
    'disabled',
    'lastReceivedAt',
    'createdAt',
    'updatedAt',
  ],
  filterable: ['receiveSlotId', 'displayName', 'kind', 'disabled', 'createdAt', 'updatedAt'],
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
