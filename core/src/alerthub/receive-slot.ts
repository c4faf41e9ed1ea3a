import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const receiveSlotKinds = ['webhook'] as const;

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  kind: field.choice(receiveSlotKinds).default('webhook'),
  disabled: field.flag().default(false),
  /** Runs with every message, beside the rules. */
  runbookId: field.reference('runbook').nullable().default(null),
};

export const receiveSlot = defineResource({
  app: 'alerthub',
  name: 'receive-slot',
  noun: { en: ['receive slot', 'receive slots'], ja: '受信スロット' },
  path: '/api/apps/alerthub/receive-slots',
  screen: '/apps/alerthub/receive-slots',
  id: 'receiveSlotId',
  title: 'displayName',
  shape: z.object({
    receiveSlotId: field.uuid(),
    ...body,
    /** Two addresses of one slot: the same message arriving at both within ten minutes is one message. */
    primary: field.as('url', z.string()),
    secondary: field.as('url', z.string()),
    lastReceivedAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
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
});
