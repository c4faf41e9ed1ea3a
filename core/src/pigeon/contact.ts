import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isPhone } from '../validation/phone.ts';
import { maxPhones } from './call-constants.ts';

/** Starts with 0, 4 to 30 digits; masked for users who may not see phone numbers. */
export const phone = z.object({
  phoneNumber: field.withKind('text', z.string().refine(isPhone, { params: { word: 'rule.phone' } })),
});

const body = {
  displayName: field.displayName(),
  remarks: field.remarks(),
  phones: field.list(phone, maxPhones).min(1),
};

export const contact = defineResource({
  app: 'pigeon',
  name: 'contact',
  noun: { en: ['contact', 'contacts'], ja: '連絡先' },
  path: '/api/apps/pigeon/contacts',
  screen: '/apps/pigeon/contacts',
  id: 'contactId',
  title: 'displayName',
  shape: z.object({
    contactId: field.uuid(),
    ...body,
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object(body),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: ['displayName', 'phones', 'createdAt', 'updatedAt'],
  unique: ['displayName'],
  permission: 'pigeon:contacts',
});
