import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

const connection = () =>
  field.choice(['connected', 'unconnected'], { connected: 'success', unconnected: 'neutral' });

/** The place in a space that one on-site agent connects to. */
export const ksocketSlot = defineResource({
  app: 'ksocket',
  name: 'ksocket-slot',
  noun: { en: ['Ksocket slot', 'Ksocket slots'], ja: 'Ksocketスロット' },
  path: '/api/ksocket/slots',
  screen: '/preference/ksocket',
  id: 'ksocketSlotId',
  title: 'displayName',
  shape: z.object({
    ksocketSlotId: field.uuid(),
    displayName: field.displayName(),
    remarks: field.remarks(),
    connection: connection(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(), remarks: field.remarks() }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['connection', 'displayName', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'ksocket:slots',
  calls: {
    connected: {
      method: 'GET',
      path: '/connected',
      on: 'item',
      permission: 'get',
      reply: z.object({ connection: connection() }),
    },
  },
});

/** What an agent proves itself with. */
export const ksocketToken = defineResource({
  app: 'ksocket',
  name: 'ksocket-token',
  noun: { en: ['Ksocket token', 'Ksocket tokens'], ja: 'Ksocketトークン' },
  path: '/api/ksocket/slots/{ksocketSlotId}/tokens',
  id: 'id',
  parent: 'ksocket-slot',
  shape: z.object({
    id: field.uuid(),
    /** In the reply to create only; stored as a hash. */
    token: field.as('secret', z.string()).optional(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({}),
  verbs: ['list', 'create', 'remove'],
  columns: ['id', 'createdAt'],
  permission: 'ksocket:slots',
});
