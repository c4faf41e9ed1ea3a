import { z } from 'zod';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/**
 * A host key that was accepted for a destination. While it exists, any other key of the host is refused; after
 * it is deleted, the policy of the destination applies to the next session.
 */
export const hostKey = defineResource({
  app: 'greac',
  name: 'host-key',
  noun: { en: ['host key', 'host keys'], ja: 'ホスト鍵' },
  path: '/api/apps/greac/destinations/{destinationId}/host-keys',
  id: 'hostKeyId',
  title: 'fingerprint',
  parent: 'destination',
  shape: z.object({
    hostKeyId: field.uuid(),
    destinationId: field.reference('destination'),
    /** SHA-256 fingerprint, such as `SHA256:...`. */
    fingerprint: field.text(),
    /** Host and port where the key was seen. */
    host: field.text(),
    port: field.numericId(1, 65_535),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'remove'],
  columns: ['fingerprint', 'host', 'port', 'createdAt'],
  unique: ['fingerprint', 'host', 'port'],
  permission: 'greac:destinations',
});
