import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { publicKey } from './public-key.ts';

export const connectionStates = ['connected', 'unconnected'] as const;

const body = { displayName: field.displayName(), remarks: field.remarks() };

/** On-site gateway that opens remote sessions; only the gateway can decrypt its credentials. */
export const kroker = defineResource({
  app: 'kroker',
  name: 'kroker',
  noun: { en: ['Kroker', 'Krokers'], ja: 'Kroker' },
  path: '/api/apps/kroker/krokers',
  screen: '/preference/kroker/list',
  id: 'krokerId',
  title: 'displayName',
  shape: z.object({
    krokerId: field.uuid(),
    ...body,
    connectionState: field.choice(connectionStates, { connected: 'success', unconnected: 'neutral' }),
    /** Null until the machine has been set up; never entered by a user. */
    publicKey: publicKey().nullable(),
    /** RFC 7638 thumbprint of the key, to compare with the one that the machine shows. */
    thumbprint: field.text(43).nullable(),
    lastConnectedAt: field.dateTime().nullable(),
    /** Version of the connected gateway; null for a machine that has never opened a connection for sessions. */
    gatewayVersion: field.text(64).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'connectionState', 'lastConnectedAt', 'thumbprint', 'createdAt', 'updatedAt'],
  detail: ['connectionState', 'lastConnectedAt', 'gatewayVersion', 'thumbprint', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'kroker:krokers',
  inFiles: true,
});
