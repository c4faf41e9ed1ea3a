import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/** `old` speaks an earlier version of the protocol than the server; `conflict`: two agents replace each other. */
export const agentStates = ['current', 'old', 'conflict'] as const;

export const connectionStates = ['connected', 'unconnected'] as const;

const columns = [
  'connection',
  'displayName',
  'agentVersion',
  'agentState',
  'connectedAt',
  'createdAt',
  'updatedAt',
] as const;
const filterable = ['ksocketSlotId', ...columns, 'agentProtocol', 'clockOffset'];

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
    /** Null while no agent is connected, as the following. */
    agentState: field
      .choice(agentStates, { current: 'success', old: 'warning', conflict: 'danger' })
      .nullable(),
    /** What is wrong with the agents of this Ksocket and what to do, in the caller's language. */
    agentWarning: field.text(500).nullable(),
    agentProtocol: field.count().nullable(),
    /** What the agent can do, such as `estimate` or `collect.ssh`. */
    capabilities: field.list(field.text(64), 50),
    /** Seconds by which the agent's clock is ahead of the server's; null if the agent does not tell. */
    clockOffset: field.withKind('integer', z.int()).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(), remarks: field.remarks() }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns,
  detail: [
    'connection',
    'connectedAt',
    'agentVersion',
    'agentState',
    'agentProtocol',
    'capabilities',
    'clockOffset',
    'createdAt',
    'updatedAt',
  ],
  filterable,
  sortable: filterable,
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
