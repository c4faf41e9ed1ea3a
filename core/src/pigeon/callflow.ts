import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { maxPhones } from './call-constants.ts';
import { quietHours } from './quiet-hours.ts';

/** Limits of a callflow: number of stops, and number of rounds through all of them. */
export const maxStops = 100;
export const maxLoops = 100;

/**
 * The phone of a contact to call: its position in the contact's list, from 1. The number is not stored here.
 */
export const stop = z.object({
  contactId: field.reference('contact'),
  phone: field.integer(1, maxPhones).default(1),
});
export const loopLimit = () => field.integer(1, maxLoops);

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  loopLimit: loopLimit().default(3),
  /** Called in this order. */
  contacts: field.list(stop, maxStops).min(1),
  /**
   * Contact to whom a callee who presses a transfer digit is connected; requires a ticket of a Pigeon plan.
   */
  transferTo: field.object(stop.shape).nullable().default(null),
  /** Otherwise the chain goes on with the next contact when a transfer is not connected. */
  endsAfterFailedTransfer: field.flag().default(false),
  /** Chains are rejected during these hours; chains started before go on. */
  quietHours: quietHours.nullable().default(null),
};

export const callflow = defineResource({
  app: 'pigeon',
  name: 'callflow',
  noun: { en: ['callflow', 'callflows'], ja: 'コールフロー' },
  path: '/api/apps/pigeon/callflows',
  screen: '/apps/pigeon/callflows',
  id: 'callflowId',
  title: 'displayName',
  shape: z.object({
    callflowId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'loopLimit', 'contacts', 'createdAt', 'updatedAt'],
  detail: [
    'loopLimit',
    'contacts',
    'transferTo',
    'endsAfterFailedTransfer',
    'quietHours',
    'createdAt',
    'updatedAt',
  ],
  unique: ['displayName'],
  permission: 'pigeon:callflows',
});
