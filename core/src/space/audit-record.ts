import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/**
 * An action of a user, performed or denied; a record of the space's hash chain. Only privileged users can
 * read it.
 */
export const auditRecord = defineResource({
  app: 'space',
  name: 'audit-record',
  noun: { en: ['audit record', 'audit log'], ja: '監査ログ' },
  path: '/api/space/audit-records',
  screen: '/preference/audit-records',
  id: 'auditRecordId',
  title: 'number',
  shape: z.object({
    auditRecordId: field.uuid(),
    /** Sequence number without gaps. */
    number: field.count(),
    at: field.dateTime(),
    actorKind: field.choice(['person', 'api-token', 'guest', 'server']),
    actorId: field.uuid().nullable(),
    actorName: field.text(),
    apiTokenId: field.uuid().nullable(),
    /** Name of the token at that time; null in records from before names were kept, too. */
    apiTokenName: field.text().nullable(),
    address: field.text(),
    userAgent: field.text(300),
    action: field.text(),
    outcome: field.choice(['done', 'refused', 'failed'], {
      done: 'success',
      refused: 'warning',
      failed: 'danger',
    }),
    /** Name of the resource, or `sign-in`. */
    resource: field.text(),
    resourceId: field.text().nullable(),
    detail: field.text(1000).nullable(),
    before: field.json().nullable(),
    after: field.json().nullable(),
  }),
  verbs: ['list', 'show'],
  columns: [
    'at',
    'actorName',
    'action',
    'resource',
    'outcome',
    'address',
    'detail',
    'resourceId',
    'actorKind',
    'apiTokenName',
    'number',
  ],
  detail: [
    'at',
    'outcome',
    'actorName',
    'actorKind',
    'actorId',
    'apiTokenName',
    'apiTokenId',
    'address',
    'userAgent',
    'action',
    'resource',
    'resourceId',
    'detail',
    'before',
    'after',
  ],
  defaultSort: '-number',
  time: 'at',
  permission: 'space:audit-records',
  isLog: true,
  calls: {
    /** Verifies the whole chain. */
    verify: {
      method: 'POST',
      path: '/verify',
      on: 'collection',
      permission: 'verify',
      reply: z.object({
        intact: z.boolean(),
        checked: z.int(),
        firstBroken: z.int().nullable(),
        lastNumber: z.int(),
      }),
    },
    /** Retention of records in days, as configured on the server; null keeps them forever. */
    retention: {
      method: 'GET',
      path: '/retention',
      on: 'collection',
      permission: 'list',
      reply: z.object({ days: z.int().nullable() }),
    },
    /** `format` json or csv, with the list's filter, sort and time range: all records that there are when it begins. */
    export: {
      method: 'GET',
      path: '/export',
      on: 'collection',
      permission: 'export',
      audited: true,
      replyType: '*/*',
    },
  },
});
