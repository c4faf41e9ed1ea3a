import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const connectionStates = ['connected', 'unconnected'] as const;

const connection = () => field.choice(connectionStates, { connected: 'success', unconnected: 'neutral' });

/** Slot of a space to which one on-site agent connects. */
export const ksocketSlot = defineResource({
  app: 'ksocket',
  name: 'ksocket-slot',
  noun: { en: ['Ksocket', 'Ksockets'], ja: 'Ksocket' },
  path: '/api/ksocket/slots',
  screen: '/preference/ksocket',
  id: 'ksocketSlotId',
  title: 'displayName',
  shape: z.object({
    ksocketSlotId: field.uuid(),
    displayName: field.displayName(),
    remarks: field.remarks(),
    connection: connection(),
    /** When the current connection began; null if disconnected. */
    connectedAt: field.dateTime().nullable(),
    /** Version reported by the agent. */
    agentVersion: field.text(64).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(), remarks: field.remarks() }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['connection', 'displayName', 'agentVersion', 'connectedAt', 'createdAt', 'updatedAt'],
  detail: ['connection', 'connectedAt', 'agentVersion', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'ksocket:slots',
  calls: {
    connected: {
      method: 'GET',
      path: '/connected',
      on: 'item',
      permission: 'get',
      reply: z.object({ connected: field.flag(), connection: connection() }),
    },
  },
});
