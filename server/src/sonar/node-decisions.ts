// What users decide about managed nodes: two are one, or a host is not one of a node's. Decisions outlast scans
// and can be undone.
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Pin } from '@yagura/core/inventory/device-decisions';
import type { Transaction } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import type { RequestContext } from '../resource/request-context.ts';
import {
  deleteNodeRows,
  loadNodeHosts,
  type MovedAnnotations,
  moveAnnotations,
  type NodeHost,
  pinsOf,
  restoreAnnotations,
  setTags,
} from './node-hosts.ts';
import { type NodeContext, rebuildNode } from './rebuild-node.ts';

export interface DecisionContext extends NodeContext {
  t: RequestContext['t'];
  nextId: () => string;
  /** Name of the user. */
  createdBy: string;
}

interface MergeUndo {
  /** Devices that were the node. */
  devices: string[];
  /** Row of the node, without the columns that a rebuild writes. */
  row: {
    named: boolean;
    display_name: string;
    remarks: string;
    tags: Record<string, string>;
    inventory: unknown;
    first_seen_at: string;
    last_seen_at: string;
    created_at: string;
    /** Whether it was notified of as outdated; decisions of earlier versions do not say. */
    outdated_told?: boolean;
  };
  /** The node that was kept, if it was notified of as outdated. */
  kept?: { last_seen_at: string } | null;
  moved: MovedAnnotations;
}

interface SplitUndo {
  /** The device that the host was. */
  deviceId: string;
}

interface DecisionRow {
  decision_id: string;
  kind: 'merge' | 'split';
  managed_node_id: string;
  other_node_id: string;
  undo: MergeUndo | SplitUndo;
}

/** Scans of a network are aggregated one at a time, and not while a user decides. */
export async function lockNetwork(
  tx: Transaction,
  { spaceId, networkId }: Pick<NodeContext, 'spaceId' | 'networkId'>,
): Promise<void> {
  await tx.query("select 1 from resource where space_id = $1 and kind = 'network' and id = $2 for update", [
    spaceId,
    networkId,
  ]);
}

/** Makes another node a part of this one. Returns the id of the decision. */
export async function mergeNodes(
  tx: Transaction,
  context: DecisionContext,
  kept: string,
  other: string,
): Promise<string> {
  const { networkId, spaceId, t } = context;
  if (kept === other) throw invalidField('otherNodeId', t('sonar.merge.same'));
  const { rows } = await tx.query<MergeUndo['row']>(
    `select named, display_name, remarks, tags, facts as inventory, first_seen_at, last_seen_at, created_at, outdated_told
     from managed_node where space_id = $1 and network_id = $2 and managed_node_id = $3`,
    [spaceId, networkId, other],
  );
  const [row] = rows;
  if (!row) throw invalidField('otherNodeId', t('sonar.merge.no-node'));
  const hosts = [...(await loadNodeHosts(tx, kept)), ...(await loadNodeHosts(tx, other))];
  const { rows: told } = await tx.query<{ last_seen_at: string }>(
    'select last_seen_at from managed_node where managed_node_id = $1 and outdated_told',
    [kept],
  );
  const { rows: parts } = await tx.query<{ id: string }>(
    'select device_id as id from managed_node_device where managed_node_id = $1',
    [other],
  );
  const devices = [other, ...parts.map(({ id }) => id)];
  await tx.query(
    `insert into managed_node_device (space_id, network_id, device_id, managed_node_id)
     select $1, $2, id, $4 from unnest($3::uuid[]) as x(id)
     on conflict (device_id) do update set managed_node_id = excluded.managed_node_id`,
    [spaceId, networkId, devices, kept],
  );
  await moveHosts(tx, other, kept);
  const moved = await moveAnnotations(tx, other, kept);
  await deleteNodeRows(tx, spaceId, other);
  await rebuildNode(tx, context, kept);
  return insertDecision(tx, context, {
    kind: 'merge',
    nodes: [kept, other],
    name: row.display_name,
    pins: pinsOf(hosts),
    undo: { devices, row, moved, kept: told[0] ?? null } satisfies MergeUndo,
  });
}

/**
 * Splits a host off its node, with all earlier ones that nothing tells apart from it. Returns the id of the new
 * node and of the decision.
 */
export async function splitNode(
  tx: Transaction,
  context: DecisionContext,
  managedNodeId: string,
  nodeId: string,
): Promise<{ managedNodeId: string; decisionId: string }> {
  const { spaceId, networkId, t, nextId } = context;
  const hosts = await loadNodeHosts(tx, managedNodeId);
  const host = hosts.find((one) => one.nodeId === nodeId);
  if (!host) throw invalidField('nodeId', t('sonar.split.no-host'));
  const off = hosts.filter(({ key }) => key === host.key);
  const rest = hosts.filter(({ key }) => key !== host.key);
  if (rest.length === 0) throw new Problem('not-possible', { detail: t('sonar.split.alike') });
  const created = nextId();
  await tx.query(
    `update snapshot_node set managed_node_id = $2, device_id = null where node_id = any($1::uuid[])`,
    [off.map((one) => one.nodeId), created],
  );
  await splitSignatures(tx, context, created, { off, rest });
  await rebuildNode(tx, context, created);
  await rebuildNode(tx, context, managedNodeId);
  const { rows } = await tx.query<{ display_name: string }>(
    'select display_name from managed_node where managed_node_id = $1 and space_id = $2 and network_id = $3',
    [created, spaceId, networkId],
  );
  const decisionId = await insertDecision(tx, context, {
    kind: 'split',
    nodes: [managedNodeId, created],
    name: rows[0]!.display_name,
    pins: [{ deviceId: created, features: host.features }, ...pinsOf(rest)],
    undo: { deviceId: host.deviceId } satisfies SplitUndo,
  });
  return { managedNodeId: created, decisionId };
}

/** Each side has the signatures of its own hosts. */
async function splitSignatures(
  tx: Transaction,
  { spaceId, networkId }: NodeContext,
  created: string,
  { off, rest }: { off: readonly NodeHost[]; rest: readonly NodeHost[] },
): Promise<void> {
  const { signatures } = off[0]!;
  await tx.query(
    `insert into managed_node_signature (space_id, network_id, managed_node_id, kind, value)
     select $1, $2, $3, x.kind, x.value from unnest($4::text[], $5::text[]) as x(kind, value)
     where not exists (select 1 from cloned_signature c where c.network_id = $2 and c.kind = x.kind and c.value = x.value)
     on conflict do nothing`,
    [spaceId, networkId, created, signatures.map(({ kind }) => kind), signatures.map(({ value }) => value)],
  );
  for (const deviceId of new Set(off.map((one) => one.deviceId))) {
    const kept = new Set(
      rest
        .filter((one) => one.deviceId === deviceId)
        .flatMap((one) => one.signatures.map(({ kind, value }) => `${kind} ${value}`)),
    );
    const gone = signatures.filter(({ kind, value }) => !kept.has(`${kind} ${value}`));
    await tx.query(
      `delete from managed_node_signature s using unnest($2::text[], $3::text[]) as x(kind, value)
       where s.managed_node_id = $1 and s.kind = x.kind and s.value = x.value`,
      [deviceId, gone.map(({ kind }) => kind), gone.map(({ value }) => value)],
    );
  }
}

/** The node that now has the hosts, and the one that came back or is gone. */
export interface UndoneDecision {
  keptId: string;
  otherId: string;
  isOtherRestored: boolean;
}

/** Throws a 409 if a later decision about the same nodes must be undone before. */
export async function undoDecision(
  tx: Transaction,
  context: DecisionContext,
  decisionId: string,
): Promise<UndoneDecision> {
  const { rows } = await tx.query<DecisionRow>(
    'select decision_id, kind, managed_node_id, other_node_id, undo from node_decision where decision_id = $1',
    [decisionId],
  );
  const decision = rows[0]!;
  const { managed_node_id: keptId, other_node_id: otherId, kind } = decision;
  const { rows: later } = await tx.query(
    `select 1 from node_decision where network_id = $1 and decision_id > $2
       and (other_node_id = any($3::uuid[]) or managed_node_id = $4) limit 1`,
    [context.networkId, decisionId, [keptId, otherId], otherId],
  );
  if (later.length > 0) throw new Problem('not-possible', { detail: context.t('sonar.undo.later') });
  const { rows: kept } = await tx.query('select 1 from managed_node where managed_node_id = $1', [keptId]);
  if (kept.length === 0) throw new Problem('not-possible', { detail: context.t('sonar.undo.no-node') });
  await tx.query('delete from node_decision where decision_id = $1', [decisionId]);
  if (kind === 'split') {
    const into = await undoSplit(tx, context, decision, decision.undo as SplitUndo);
    return { keptId: into, otherId, isOtherRestored: false };
  }
  await undoMerge(tx, context, decision, decision.undo as MergeUndo);
  return { keptId, otherId, isOtherRestored: true };
}

async function undoMerge(
  tx: Transaction,
  context: DecisionContext,
  { managed_node_id: keptId, other_node_id: otherId }: DecisionRow,
  { devices, row, kept, moved }: MergeUndo,
): Promise<void> {
  const { spaceId, networkId, now } = context;
  await tx.query('delete from managed_node_device where device_id = $1', [otherId]);
  await tx.query('update managed_node_device set managed_node_id = $2 where device_id = any($1::uuid[])', [
    devices,
    otherId,
  ]);
  await tx.query(
    `update snapshot_node set managed_node_id = $3, device_id = nullif(device_id, $3)
     where managed_node_id = $1 and device_id = any($2::uuid[])`,
    [keptId, devices, otherId],
  );
  await tx.query(
    `insert into managed_node (managed_node_id, space_id, network_id, named, display_name, remarks, system_family,
       system_version, system_serial, vendor, facts, number_of_addresses, number_of_packages, number_of_windows_updates,
       first_seen_at, last_seen_at, outdated_told, created_at, updated_at)
     select $1, $2, $3, x.named, x.display_name, x.remarks, '', '', '', '', x.inventory, 0, 0, 0, x.first_seen_at, x.last_seen_at,
       coalesce(x.outdated_told, false), x.created_at, $5
     from jsonb_to_record($4::jsonb) as x(named boolean, display_name text, remarks text, inventory jsonb,
       first_seen_at timestamptz, last_seen_at timestamptz, outdated_told boolean, created_at timestamptz)`,
    [otherId, spaceId, networkId, toStoreJson(row), now],
  );
  // Before the rebuild, which finds out whether it was seen since.
  if (kept)
    await tx.query(
      'update managed_node set last_seen_at = $2, outdated_told = true where managed_node_id = $1',
      [keptId, kept.last_seen_at],
    );
  await setTags(tx, otherId, row.tags);
  await restoreAnnotations(tx, { from: keptId, into: otherId }, moved);
  for (const id of [keptId, otherId]) await rebuildNode(tx, context, id);
}

async function undoSplit(
  tx: Transaction,
  context: DecisionContext,
  { managed_node_id: keptId, other_node_id: otherId }: DecisionRow,
  { deviceId }: SplitUndo,
): Promise<string> {
  // The device may have been a part of the node then, and a node of its own now.
  const { rows: nodes } = await tx.query<{ id: string }>(
    `select managed_node_id as id from managed_node where managed_node_id =
       coalesce((select managed_node_id from managed_node_device where device_id = $1), $1)`,
    [deviceId],
  );
  const into = nodes[0]?.id ?? keptId;
  await tx.query(
    `update snapshot_node set managed_node_id = $2, device_id = nullif($3::uuid, $2::uuid) where managed_node_id = $1`,
    [otherId, into, deviceId],
  );
  await tx.query(
    `insert into managed_node_signature (space_id, network_id, managed_node_id, kind, value)
     select space_id, network_id, $2, kind, value from managed_node_signature where managed_node_id = $1 on conflict do nothing`,
    [otherId, deviceId],
  );
  await tx.query('delete from managed_node_signature where managed_node_id = $1', [otherId]);
  const { rows } = await tx.query('select 1 from managed_node where managed_node_id = $1', [otherId]);
  // Deleted by a user, and not found by a scan since.
  if (rows.length > 0) {
    await moveAnnotations(tx, otherId, into);
    await deleteNodeRows(tx, context.spaceId, otherId);
  }
  await rebuildNode(tx, context, into);
  return into;
}

async function moveHosts(tx: Transaction, from: string, into: string): Promise<void> {
  await tx.query(
    `update snapshot_node set device_id = coalesce(device_id, managed_node_id), managed_node_id = $2
     where managed_node_id = $1`,
    [from, into],
  );
}

async function insertDecision(
  tx: Transaction,
  { spaceId, networkId, nextId, createdBy, now }: DecisionContext,
  decision: { kind: 'merge' | 'split'; nodes: [string, string]; name: string; pins: Pin[]; undo: unknown },
): Promise<string> {
  const decisionId = nextId();
  const [kept, other] = decision.nodes;
  await tx.query(
    `insert into node_decision (decision_id, space_id, network_id, kind, managed_node_id, other_node_id, other_name,
       created_by, created_at, pins, undo) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[decisionId, spaceId, networkId, decision.kind, kept, other, decision.name, createdBy, now],
      toStoreJson(decision.pins),
      toStoreJson(decision.undo),
    ],
  );
  return decisionId;
}
