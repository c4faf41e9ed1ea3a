// Network addresses from which a space can be reached; requires the ticket ipRestriction202507.
import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';
import { isIpOrCidr } from '../validation/ip.ts';

/** Maximum number of addresses. */
const maxAddresses = 500;

const address = () =>
  field.withKind(
    'text',
    z
      .string()
      .trim()
      .max(50)
      .refine(isIpOrCidr, { params: { word: 'rule.ipOrCidr' } }),
  );

const addresses = () =>
  field.list(field.object({ address: address(), remarks: field.text(200).default('') }), maxAddresses);

/** Accepts a change even if it locks out the caller. */
const force = () => field.flag().default(false);

export const ipRestriction = defineResource({
  app: 'space',
  name: 'ip-restriction',
  plural: 'ip-restriction',
  noun: { en: ['IP restriction', 'IP restriction'], ja: 'IPアドレス制限' },
  path: '/api/internal/space/ip-restriction',
  screen: '/preference/ip-restriction',
  id: 'enabled',
  singleton: true,
  shape: z.object({
    enabled: field.flag(),
    addresses: addresses(),
    updatedAt: field.dateTime().nullable(),
  }),
  input: z.object({ enabled: field.flag(), addresses: addresses().optional(), force: force() }),
  verbs: ['show', 'edit'],
  columns: ['enabled', 'addresses', 'updatedAt'],
  permission: 'space:ip-restriction',
  calls: {
    /** Replaces the addresses without enabling or disabling the restriction. */
    addresses: {
      method: 'PUT',
      path: '/addresses',
      on: 'item',
      permission: 'update',
      body: z.object({ addresses: addresses(), force: force() }),
      reply: z.record(z.string(), z.unknown()),
    },
  },
});

/** The caller's address as seen by the server. */
export const selfIpAddress = defineResource({
  app: 'space',
  name: 'self-ip-address',
  plural: 'self-ip-address',
  noun: { en: ['client IP address', 'client IP address'], ja: '自分のIPアドレス' },
  path: '/api/internal/self-ip-address',
  id: 'ipAddress',
  singleton: true,
  shape: z.object({ ipAddress: field.text(64) }),
  verbs: ['show'],
  columns: ['ipAddress'],
  permission: 'self:ip-address',
});
