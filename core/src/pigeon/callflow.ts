import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { maxPhones } from './contact.ts';

/** Stops of a callflow and times that all of them are tried. */
export const maxStops = 100;
export const maxLoops = 100;

/** Which phone of a contact is called: its place in the contact's list, from 1. No number is kept here. */
export const stop = z.object({
  contactId: field.reference('contact'),
  phone: field.integer(1, maxPhones).default(1),
});
export type Stop = z.output<typeof stop>;

export const loopLimit = () => field.integer(1, maxLoops);

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  loopLimit: loopLimit().default(3),
  /** Called in this order. */
  contacts: field.list(stop, maxStops).min(1),
  /** Whom somebody who presses a transfer digit is connected to; needs a Pigeon plan's ticket. */
  transferTo: field.object(stop.shape).nullable().default(null),
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
  detail: ['loopLimit', 'contacts', 'transferTo', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'pigeon:callflows',
});
