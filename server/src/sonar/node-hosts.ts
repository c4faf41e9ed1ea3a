// Hosts that scans found of a managed node, and moving all that users wrote about a node to another one.
import { type Feature, featureKey, featuresOf, type Pin } from '@yagura/core/inventory/device-decisions';
import type { Signature } from '@yagura/core/inventory/host-signature';
import { maxRemarks } from '@yagura/core/resource/field';
import { managedNodeNote } from '@yagura/core/sonar/managed-node-note';
import type { Queryable, Transaction } from '../db/database.ts';

/** Maximum hosts of a node that a decision looks at, the last ones. */
const maxHosts = 5000;
/** Maximum kinds of hosts of a device that a decision names. */
const maxPins = 50;

export interface NodeHost {
  nodeId: string;
  deviceId: string;
  signatures: Signature[];
  features: Feature[];
  key: string;
}

/** The hosts of a node, the last one first; without those of a removed snapshot, which are being deleted. */
export async function loadNodeHosts(db: Queryable, managedNodeId: string): Promise<NodeHost[]> {
  const { rows } = await db.query<{
    node_id: string;
    device_id: string;
    signatures: Signature[];
    addrs: string[];
  }>(
    `select n.node_id, coalesce(n.device_id, n.managed_node_id) as device_id, n.signatures,
       jsonb_path_query_array(n.facts, '$.addresses[*].addr') as addrs
     from snapshot_node n join snapshot s on s.snapshot_id = n.snapshot_id
     where n.managed_node_id = $1 order by n.created_at desc, n.chunk desc, n.place desc limit ${maxHosts}`,
    [managedNodeId],
  );
  return rows.map(({ node_id, device_id, signatures, addrs }) => {
    const features = featuresOf(
      signatures,
      addrs.map((addr) => ({ addr })),
    );
    return { nodeId: node_id, deviceId: device_id, signatures, features, key: featureKey(features) };
  });
}

/** One pin for hosts that nothing tells apart, as the last scan assigned them. */
export function pinsOf(hosts: readonly NodeHost[]): Pin[] {
  const last = new Map<string, Pin>();
  for (const { deviceId, features, key } of hosts) if (!last.has(key)) last.set(key, { deviceId, features });
  return [...last.values()].slice(0, maxPins);
}

/** What users wrote about a node that became a part of another one. */
export interface MovedAnnotations {
  noteIds: string[];
  /** Keys of tags that the other node did not have. */
  tagKeys: string[];
  /** Remarks of the other node before and after. */
  remarks: { before: string; after: string };
}

/** Moves notes, tags and remarks to another node, which keeps its own. */
export async function moveAnnotations(
  tx: Transaction,
  from: string,
  into: string,
): Promise<MovedAnnotations> {
  // Locked before the notes are moved: one that is added meanwhile would stay with the node that goes.
  const { rows } = await tx.query<{ id: string; remarks: string; tags: Record<string, string> }>(
    `select managed_node_id as id, remarks, tags from managed_node where managed_node_id = any($1::uuid[])
     order by managed_node_id for update`,
    [[from, into]],
  );
  const { rows: notes } = await tx.query<{ id: string }>(
    'update resource set parent_id = $3 where kind = $1 and parent_id = $2 returning id',
    [managedNodeNote.name, from, into],
  );
  const source = rows.find(({ id }) => id === from)!;
  const target = rows.find(({ id }) => id === into)!;
  const tagKeys = Object.keys(source.tags).filter((key) => !Object.hasOwn(target.tags, key));
  const both = [target.remarks, source.remarks].filter(Boolean).join('\n');
  const remarks = { before: target.remarks, after: both.length <= maxRemarks ? both : target.remarks };
  await setTags(tx, into, { ...source.tags, ...target.tags });
  await tx.query('update managed_node set remarks = $2 where managed_node_id = $1', [into, remarks.after]);
  return { noteIds: notes.map(({ id }) => id), tagKeys, remarks };
}

/** Moves back what has not been changed since. */
export async function restoreAnnotations(
  tx: Transaction,
  { from, into }: { from: string; into: string },
  { noteIds, tagKeys, remarks }: MovedAnnotations,
): Promise<void> {
  await tx.query(
    'update resource set parent_id = $4 where kind = $1 and parent_id = $2 and id = any($3::uuid[])',
    [managedNodeNote.name, from, noteIds, into],
  );
  const { rows } = await tx.query<{ id: string; tags: Record<string, string> }>(
    'select managed_node_id as id, tags from managed_node where managed_node_id = any($1::uuid[])',
    [[from, into]],
  );
  const kept = rows.find(({ id }) => id === from)!.tags;
  const moved = rows.find(({ id }) => id === into)!.tags;
  await setTags(
    tx,
    from,
    Object.fromEntries(
      Object.entries(kept).filter(([key, value]) => !(tagKeys.includes(key) && moved[key] === value)),
    ),
  );
  await tx.query('update managed_node set remarks = $2 where managed_node_id = $1 and remarks = $3', [
    from,
    remarks.before,
    remarks.after,
  ]);
}

/** Replaces the tags of a node, in its row and in the table that lists read. */
export async function setTags(
  tx: Transaction,
  managedNodeId: string,
  tags: Record<string, string>,
): Promise<void> {
  await tx.query('update managed_node set tags = $2 where managed_node_id = $1', [
    managedNodeId,
    JSON.stringify(tags),
  ]);
  await tx.query('delete from managed_node_tag where managed_node_id = $1', [managedNodeId]);
  await tx.query(
    `insert into managed_node_tag (space_id, network_id, managed_node_id, key, value)
     select m.space_id, m.network_id, m.managed_node_id, x.key, x.value
     from managed_node m, unnest($2::text[], $3::text[]) as x(key, value) where m.managed_node_id = $1`,
    [managedNodeId, Object.keys(tags), Object.values(tags)],
  );
}

/** Deletes the rows of a node, but not its hosts and notes. */
export async function deleteNodeRows(tx: Transaction, spaceId: string, managedNodeId: string): Promise<void> {
  for (const table of ['package', 'value', 'tag'])
    await tx.query(`delete from managed_node_${table} where managed_node_id = $1`, [managedNodeId]);
  await tx.query("delete from diagram_position where space_id = $1 and element_id = 'node:' || $2", [
    spaceId,
    managedNodeId,
  ]);
  await tx.query('delete from managed_node where managed_node_id = $1', [managedNodeId]);
}
