import { z } from 'zod';
import { scanEstimateShape } from '../inventory/scan-report.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

/**
 * Number of days for which a node counts as new after it was first seen, and after which a node no longer
 * seen counts as outdated.
 */
const configuration = () =>
  field.object({ newDays: field.integer(1, 3650), outdatedDays: field.integer(1, 3650) });

export const network = defineResource({
  app: 'sonar',
  name: 'network',
  noun: { en: ['network', 'networks'], ja: 'ネットワーク' },
  path: '/api/apps/sonar/networks',
  screen: '/apps/sonar/networks',
  id: 'networkId',
  title: 'displayName',
  shape: z.object({
    networkId: field.uuid(),
    displayName: field.displayName(),
    remarks: field.remarks(),
    configuration: configuration(),
    /** The on-site agent that scans the network. */
    ksocketSlotId: field.reference('ksocket-slot').nullable(),
    numberOfNodes: field.count(),
    numberOfNewNodes: field.count(),
    numberOfStableNodes: field.count(),
    numberOfOutdatedNodes: field.count(),
    lastScanSucceededAt: field.dateTime().nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({
    displayName: field.displayName(),
    // Existing clients send only displayName and configuration in a PUT; omitted fields keep their values.
    remarks: field.withKind('long-text', z.string().max(2000)).optional(),
    configuration: configuration().default({ newDays: 7, outdatedDays: 30 }),
    ksocketSlotId: field.reference('ksocket-slot').nullable().optional(),
  }),
  verbs: ['list', 'show', 'create', 'edit', 'remove'],
  columns: [
    'displayName',
    'numberOfNodes',
    'numberOfNewNodes',
    'numberOfOutdatedNodes',
    'lastScanSucceededAt',
    'ksocketSlotId',
    'numberOfStableNodes',
    'createdAt',
    'updatedAt',
  ],
  detail: [
    'ksocketSlotId',
    'configuration',
    'numberOfNodes',
    'numberOfNewNodes',
    'numberOfStableNodes',
    'numberOfOutdatedNodes',
    'lastScanSucceededAt',
    'createdAt',
    'updatedAt',
  ],
  defaultSort: 'displayName',
  unique: ['displayName'],
  permission: 'sonar:networks',
  watches: ['snapshot'],
  calls: {
    /** Asks the Ksocket what a scan with the current settings would do; nothing is sent to the network. */
    estimate: {
      method: 'POST',
      path: '/estimate',
      on: 'item',
      permission: 'estimate',
      audited: false,
      reply: z.object(scanEstimateShape),
    },
  },
});
