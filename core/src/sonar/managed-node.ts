import { z } from 'zod';
import { matchReasons } from '../inventory/device-decisions.ts';
import { hostInventoryShape, packageShape, windowsUpdateShape } from '../inventory/host-inventory.ts';
import { defineResource } from '../resource/define-resource.ts';
import * as field from '../resource/field.ts';

export const nodeStates = ['new', 'stable', 'outdated'] as const;
export type NodeState = (typeof nodeStates)[number];

const path = '/api/apps/sonar/networks/{networkId}/managed-nodes';
const screen = '/apps/sonar/networks/:networkId/managed-nodes';

export const decisionKinds = ['merge', 'split'] as const;

const decisionReply = z.object({
  /** The node that has the hosts now. */
  managedNodeId: field.uuid(),
  decisionId: field.uuid(),
});

/** A device identified across scans. */
export const managedNode = defineResource({
  app: 'sonar',
  name: 'managed-node',
  noun: { en: ['managed node', 'managed nodes'], ja: '管理ノード' },
  path,
  screen,
  id: 'managedNodeId',
  title: 'displayName',
  parent: 'network',
  shape: z.object({
    managedNodeId: field.uuid(),
    networkId: field.reference('network'),
    displayName: field.displayName(255),
    remarks: field.remarks(),
    state: field.choice(nodeStates, { new: 'info', stable: 'success', outdated: 'warning' }),
    /** Primary address. */
    addr: field.text(64).nullable(),
    macaddr: field.text(17).nullable(),
    systemFamily: field.text(),
    systemVersion: field.text(1024),
    systemSerial: field.text(),
    vendor: field.text(),
    ...hostInventoryShape,
    tags: field.keyValues(),
    numberOfAddresses: field.count(),
    numberOfPackages: field.count(),
    numberOfWindowsUpdates: field.count(),
    firstSeenAt: field.dateTime(),
    /** Time of the last scan that found it. */
    lastScanSucceededAt: field.dateTime(),
    createdAt: field.dateTime(),
    updatedAt: field.dateTime(),
  }),
  input: z.object({ displayName: field.displayName(255), remarks: field.remarks() }),
  verbs: ['list', 'show', 'edit', 'remove'],
  columns: [
    'state',
    'displayName',
    'addr',
    'systemFamily',
    'vendor',
    'lastScanSucceededAt',
    'macaddr',
    'systemVersion',
    'systemSerial',
    'numberOfAddresses',
    'numberOfPackages',
    'numberOfWindowsUpdates',
    'firstSeenAt',
    'createdAt',
    'updatedAt',
  ],
  detail: [
    'state',
    'displayName',
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
    'tags',
    'firstSeenAt',
    'lastScanSucceededAt',
    'createdAt',
    'updatedAt',
  ],
  defaultSort: 'displayName',
  permission: 'sonar:managed-nodes',
  calls: {
    /** Another node of the network is the same device: it becomes a part of this one. */
    merge: {
      method: 'POST',
      path: '/merge',
      on: 'item',
      permission: 'update',
      body: z.object({ otherNodeId: field.uuid() }),
      reply: decisionReply,
    },
    /** A host that a scan found is not this device: it becomes a node of its own. */
    split: {
      method: 'POST',
      path: '/split',
      on: 'item',
      permission: 'update',
      body: z.object({ nodeId: field.uuid() }),
      reply: decisionReply,
    },
  },
});

/** What users decided about hosts being one device or several; deleting a decision undoes it. */
export const nodeDecision = defineResource({
  app: 'sonar',
  name: 'node-decision',
  noun: { en: ['merge or split', 'merges and splits'], ja: '統合・分離' },
  path: `${path}/{managedNodeId}/decisions`,
  screen: `${screen}/:managedNodeId/decisions`,
  id: 'decisionId',
  title: 'otherName',
  parent: 'managed-node',
  shape: z.object({
    decisionId: field.uuid(),
    networkId: field.reference('network'),
    kind: field.choice(decisionKinds),
    /** The node that was kept. */
    managedNodeId: field.reference('managed-node'),
    /** The node that was merged into it, or made of the host that was split off. */
    otherNodeId: field.uuid(),
    /** Name of the other node at that time. */
    otherName: field.text(),
    createdBy: field.text(100),
    createdAt: field.dateTime(),
  }),
  verbs: ['list', 'remove'],
  columns: ['kind', 'otherName', 'managedNodeId', 'createdBy', 'createdAt'],
  permission: 'sonar:managed-nodes',
});

export const managedNodePackage = defineResource({
  app: 'sonar',
  name: 'managed-node-package',
  noun: { en: ['package', 'packages'], ja: 'パッケージ' },
  path: `${path}/{managedNodeId}/packages`,
  screen: `${screen}/:managedNodeId/packages`,
  id: 'packageId',
  parent: 'managed-node',
  shape: z.object({ packageId: field.text(600), ...packageShape }),
  verbs: ['list'],
  columns: ['name', 'version', 'arch'],
  defaultSort: 'name',
  permission: 'sonar:managed-nodes',
});

export const managedNodeWindowsUpdate = defineResource({
  app: 'sonar',
  name: 'managed-node-windows-update',
  noun: { en: ['Windows update', 'Windows updates'], ja: 'Windows更新プログラム' },
  path: `${path}/{managedNodeId}/windows-updates`,
  screen: `${screen}/:managedNodeId/windows-updates`,
  id: 'hotfixId',
  parent: 'managed-node',
  shape: z.object(windowsUpdateShape),
  verbs: ['list'],
  columns: ['hotfixId', 'description', 'installedAt'],
  defaultSort: 'hotfixId',
  permission: 'sonar:managed-nodes',
});

/** Snapshots that contain the node. */
export const managedNodeSnapshot = defineResource({
  app: 'sonar',
  name: 'managed-node-snapshot',
  noun: { en: ['node snapshot', 'node snapshots'], ja: 'ノードのスナップショット' },
  path: `${path}/{managedNodeId}/snapshots`,
  screen: `${screen}/:managedNodeId/snapshots`,
  id: 'nodeId',
  parent: 'managed-node',
  shape: z.object({
    nodeId: field.uuid(),
    snapshotId: field.uuid(),
    networkId: field.reference('network'),
    displayName: field.text(),
    /** Kind of the signature by which this host was recognized, or a decision of a user; null if the scan created the node. */
    matchedBy: field.choice(matchReasons).nullable(),
    numberOfAddresses: field.count(),
    numberOfPackages: field.count(),
    numberOfWindowsUpdates: field.count(),
    createdAt: field.dateTime(),
  }),
  verbs: ['list'],
  columns: [
    'createdAt',
    'displayName',
    'matchedBy',
    'numberOfAddresses',
    'numberOfPackages',
    'numberOfWindowsUpdates',
  ],
  permission: 'sonar:managed-nodes',
});

/** Tags of one node, replaced as a whole: one value per key. */
export const managedNodeTags = defineResource({
  app: 'sonar',
  name: 'managed-node-tags',
  plural: 'managed-node-tags',
  noun: { en: ['tags', 'tags'], ja: 'タグ' },
  path: `${path}/{managedNodeId}/tags`,
  screen: `${screen}/:managedNodeId/tags`,
  id: 'managedNodeId',
  parent: 'managed-node',
  singleton: true,
  shape: z.object({ managedNodeId: field.uuid(), tags: tags() }),
  input: z.object({ tags: tags() }),
  verbs: ['show', 'edit'],
  columns: ['tags'],
  permission: 'sonar:managed-nodes',
});

/** At most 50 tags; keys are words that a search can use (`tag.env:prod`). */
function tags() {
  return field.withKind(
    'key-values',
    z
      .record(z.string().regex(/^[\p{L}\p{N}_-]{1,64}$/u), z.string().trim().min(1).max(255))
      .check((payload) => {
        if (Object.keys(payload.value).length <= 50) return;
        payload.issues.push({
          code: 'custom',
          input: payload.value,
          params: { word: 'rule.maxSize', count: 50 },
        });
      }),
  );
}

export const tagKey = defineResource({
  app: 'sonar',
  name: 'tag-key',
  noun: { en: ['tag key', 'tag keys'], ja: 'タグのキー' },
  path: '/api/apps/sonar/tags/keys',
  id: 'key',
  shape: z.object({ key: field.text(64), numberOfNodes: field.count() }),
  verbs: ['list'],
  columns: ['key', 'numberOfNodes'],
  defaultSort: 'key',
  permission: 'sonar:managed-nodes',
});

export const tagValue = defineResource({
  app: 'sonar',
  name: 'tag-value',
  noun: { en: ['tag value', 'tag values'], ja: 'タグの値' },
  path: '/api/apps/sonar/tags/keys/{key}/values',
  id: 'value',
  shape: z.object({ value: field.text(), numberOfNodes: field.count() }),
  verbs: ['list'],
  columns: ['value', 'numberOfNodes'],
  defaultSort: 'value',
  permission: 'sonar:managed-nodes',
});
