import { z } from 'zod';
import { hostInventoryShape, packageShape, windowsUpdateShape } from '../inventory/host-inventory.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const snapshotStatuses = ['requested', 'started', 'succeeded', 'failed', 'aborted'] as const;

/**
 * Result of aggregating a host: a new managed node, merged into a known one, or none because it has no
 * signature.
 */
export const aggregationTypes = ['created', 'merged', 'unidentified'] as const;
export type AggregationType = (typeof aggregationTypes)[number];

const path = '/api/apps/sonar/networks/{networkId}/snapshots';
const screen = '/apps/sonar/networks/:networkId/snapshots';

/** Result of one scan. */
export const snapshot = defineResource({
  app: 'sonar',
  name: 'snapshot',
  noun: { en: ['snapshot', 'snapshots'], ja: 'スナップショット' },
  path,
  screen,
  id: 'snapshotId',
  parent: 'network',
  shape: z.object({
    snapshotId: field.uuid(),
    networkId: field.reference('network'),
    ksocketSlotId: field.reference('ksocket-slot').nullable(),
    status: field.choice(snapshotStatuses, {
      requested: 'neutral',
      started: 'progress',
      succeeded: 'success',
      failed: 'danger',
      aborted: 'warning',
    }),
    task: field.object({ taskId: field.uuid() }).nullable(),
    /** Reason of the failure. */
    reason: field.text(1000).nullable(),
    /** Addresses probed so far and to be probed, while the scan runs. */
    probed: field.count(),
    toProbe: field.count(),
    numberOfNodes: field.count(),
    numberOfAddresses: field.count(),
    numberOfCreatedNodes: field.count(),
    numberOfMergedNodes: field.count(),
    numberOfUnidentifiedNodes: field.count(),
    startedAt: field.dateTime().nullable(),
    terminatedAt: field.dateTime().nullable(),
    /** Total duration of the scan. */
    scanTotalTime: field.seconds(0, 10_000_000).nullable(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  verbs: ['list', 'show', 'remove'],
  columns: [
    'status',
    'createdAt',
    'numberOfNodes',
    'numberOfAddresses',
    'numberOfCreatedNodes',
    'scanTotalTime',
    'numberOfMergedNodes',
    'numberOfUnidentifiedNodes',
    'ksocketSlotId',
    'terminatedAt',
  ],
  detail: [
    'status',
    'reason',
    'ksocketSlotId',
    'probed',
    'toProbe',
    'numberOfNodes',
    'numberOfAddresses',
    'numberOfCreatedNodes',
    'numberOfMergedNodes',
    'numberOfUnidentifiedNodes',
    'startedAt',
    'terminatedAt',
    'scanTotalTime',
    'createdAt',
    'updatedAt',
  ],
  time: 'createdAt',
  permission: 'sonar:snapshots',
});

/** One host as found by one scan. */
export const node = defineResource({
  app: 'sonar',
  name: 'node',
  noun: { en: ['node', 'nodes'], ja: 'ノード' },
  path: `${path}/{snapshotId}/nodes`,
  screen: `${screen}/:snapshotId/nodes`,
  id: 'nodeId',
  title: 'displayName',
  parent: 'snapshot',
  shape: z.object({
    nodeId: field.uuid(),
    snapshotId: field.uuid(),
    networkId: field.reference('network'),
    managedNodeId: field.reference('managed-node').nullable(),
    aggregationType: field
      .choice(aggregationTypes, { created: 'info', merged: 'neutral', unidentified: 'warning' })
      .nullable(),
    displayName: field.text(),
    addr: field.text(64).nullable(),
    macaddr: field.text(17).nullable(),
    systemFamily: field.text(),
    systemVersion: field.text(1024),
    systemSerial: field.text(),
    vendor: field.text(),
    ...hostInventoryShape,
    numberOfAddresses: field.count(),
    numberOfPackages: field.count(),
    numberOfWindowsUpdates: field.count(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list', 'show'],
  columns: [
    'displayName',
    'addr',
    'systemFamily',
    'vendor',
    'aggregationType',
    'managedNodeId',
    'macaddr',
    'systemVersion',
    'systemSerial',
    'numberOfAddresses',
    'numberOfPackages',
    'numberOfWindowsUpdates',
  ],
  detail: [
    'displayName',
    'aggregationType',
    'managedNodeId',
    'systemFamily',
    'systemVersion',
    'systemSerial',
    'vendor',
    'deviceTypes',
    'addresses',
    'interfaces',
    'neighbors',
    'extraFields',
    'numberOfPackages',
    'numberOfWindowsUpdates',
    'createdAt',
  ],
  defaultSort: 'displayName',
  permission: 'sonar:snapshots',
});

export const nodePackage = defineResource({
  app: 'sonar',
  name: 'node-package',
  noun: { en: ['snapshot package', 'snapshot packages'], ja: 'スナップショットのパッケージ' },
  path: `${path}/{snapshotId}/nodes/{nodeId}/packages`,
  screen: `${screen}/:snapshotId/nodes/:nodeId/packages`,
  id: 'packageId',
  parent: 'node',
  shape: z.object({ packageId: field.text(600), ...packageShape }),
  verbs: ['list'],
  columns: ['name', 'version', 'arch'],
  defaultSort: 'name',
  permission: 'sonar:snapshots',
});

export const nodeWindowsUpdate = defineResource({
  app: 'sonar',
  name: 'node-windows-update',
  noun: {
    en: ['snapshot Windows update', 'snapshot Windows updates'],
    ja: 'スナップショットのWindows更新プログラム',
  },
  path: `${path}/{snapshotId}/nodes/{nodeId}/windows-updates`,
  screen: `${screen}/:snapshotId/nodes/:nodeId/windows-updates`,
  id: 'hotfixId',
  parent: 'node',
  shape: z.object(windowsUpdateShape),
  verbs: ['list'],
  columns: ['hotfixId', 'description', 'installedAt'],
  defaultSort: 'hotfixId',
  permission: 'sonar:snapshots',
});
