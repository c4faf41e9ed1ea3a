import { z } from 'zod';
import { differenceChanges, differenceKinds } from '../inventory/compare-hosts.ts';
import { matchReasons } from '../inventory/device-decisions.ts';
import { hostInventoryShape, packageShape, windowsUpdateShape } from '../inventory/host-inventory.ts';
import { refusalCodes, scanPhases } from '../inventory/scan-report.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const snapshotStatuses = [
  'requested',
  'started',
  /** All hosts have arrived, and are merged into the managed nodes. */
  'processing',
  'succeeded',
  'failed',
  'aborted',
] as const;

export const finalSnapshotStatuses: readonly string[] = ['succeeded', 'failed', 'aborted'];

/** Whether a scan has its result. */
export function isFinalSnapshotStatus(status: string): boolean {
  return finalSnapshotStatuses.includes(status);
}

/**
 * Result of aggregating a host: a new managed node, merged into a known one, or none because it has no
 * signature or could not be merged.
 */
export const aggregationTypes = ['created', 'merged', 'unidentified', 'failed'] as const;
export type AggregationType = (typeof aggregationTypes)[number];

const path = '/api/apps/sonar/networks/{networkId}/snapshots';
const screen = '/apps/sonar/networks/:networkId/snapshots';

/** Whether the scan was paused when the order was given. */
const scanOrderReply = z.object({ snapshotId: field.uuid(), paused: field.flag() });

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
      processing: 'progress',
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
    /** What the agent reports while the scan runs, as far as it does. */
    phase: field.choice(scanPhases).nullable(),
    numberOfFoundHosts: field.count().nullable(),
    perSecond: field.withKind('number', z.number()).nullable(),
    secondsLeft: field.seconds(0, 1e9).nullable(),
    paused: field.flag(),
    numberOfRefusals: field.count(),
    numberOfNodes: field.count(),
    /** Nodes that have been merged into the managed nodes so far. */
    numberOfProcessedNodes: field.count(),
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
    'numberOfRefusals',
    'ksocketSlotId',
    'terminatedAt',
  ],
  detail: [
    'status',
    'reason',
    'ksocketSlotId',
    'probed',
    'toProbe',
    'phase',
    'numberOfFoundHosts',
    'perSecond',
    'secondsLeft',
    'paused',
    'numberOfRefusals',
    'numberOfNodes',
    'numberOfProcessedNodes',
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
  calls: {
    /** Orders the agent to pause; the snapshot is paused once the agent says so. */
    pause: { method: 'POST', path: '/pause', on: 'item', permission: 'pause', reply: scanOrderReply },
    resume: { method: 'POST', path: '/resume', on: 'item', permission: 'resume', reply: scanOrderReply },
  },
});

/** `OTHER` is a code without a text; the code itself tells more. */
export const refusalReasons = [...refusalCodes, 'OTHER'] as const;

/** A host that answered a scan but gave no data, such as one that could not be signed in to. */
export const scanRefusal = defineResource({
  app: 'sonar',
  name: 'scan-refusal',
  noun: { en: ['refusal', 'refusals'], ja: '取得失敗' },
  path: `${path}/{snapshotId}/refusals`,
  screen: `${screen}/:snapshotId/refusals`,
  id: 'refusalId',
  parent: 'snapshot',
  shape: z.object({
    refusalId: field.uuid(),
    snapshotId: field.uuid(),
    addr: field.text(64),
    /** Protocol that was tried. */
    protocol: field.text(32),
    reason: field.choice(refusalReasons),
    /** Code as reported by the agent. */
    errorCode: field.text(64),
    /** Name of the credential file. */
    credential: field.text().nullable(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list'],
  columns: ['addr', 'protocol', 'reason', 'credential', 'errorCode', 'createdAt'],
  defaultSort: 'addr',
  permission: 'sonar:snapshots',
});

/** What changed from an earlier snapshot of the network, given by `baseSnapshotId`, to this one. */
export const snapshotDifference = defineResource({
  app: 'sonar',
  name: 'snapshot-difference',
  noun: { en: ['difference', 'differences'], ja: '差分' },
  path: `${path}/{snapshotId}/differences`,
  screen: `${screen}/:snapshotId/differences`,
  id: 'differenceId',
  parent: 'snapshot',
  shape: z.object({
    differenceId: field.text(2000),
    networkId: field.reference('network'),
    managedNodeId: field.reference('managed-node').nullable(),
    /** The host in this snapshot, or in the earlier one if it is gone. */
    nodeId: field.uuid(),
    nodeSnapshotId: field.uuid(),
    displayName: field.text(),
    addr: field.text(64).nullable(),
    kind: field.choice(differenceKinds),
    change: field.choice(differenceChanges, { added: 'success', removed: 'danger', changed: 'info' }),
    /** What differs: an address, a package, a port such as `tcp/443 0.0.0.0`. */
    entry: field.text(2000),
    before: field.text(10_000).nullable(),
    after: field.text(10_000).nullable(),
  }),
  verbs: ['list'],
  columns: ['displayName', 'kind', 'change', 'entry', 'before', 'after', 'addr', 'managedNodeId'],
  filterable: ['managedNodeId', 'displayName', 'addr', 'kind', 'change', 'entry', 'before', 'after'],
  sortable: ['displayName', 'addr', 'kind', 'change', 'entry'],
  defaultSort: 'displayName',
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
      .choice(aggregationTypes, {
        created: 'info',
        merged: 'neutral',
        unidentified: 'warning',
        failed: 'danger',
      })
      .nullable(),
    /** Kind of the signature by which the host was recognized as a known device, or a decision of a user. */
    matchedBy: field.choice(matchReasons).nullable(),
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
    'matchedBy',
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
    'matchedBy',
    'managedNodeId',
    'systemFamily',
    'systemVersion',
    'systemSerial',
    'vendor',
    'deviceTypes',
    'addresses',
    'interfaces',
    'neighbors',
    'routes',
    'listening',
    'evidence',
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
