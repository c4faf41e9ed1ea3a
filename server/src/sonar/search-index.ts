// Maintains the search index of managed nodes: each value in every form that a comparison needs.

import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import { parseAddress, parseDate, parseNetwork, parseNumber } from '@yagura/core/query/search-match';
import { versionKey } from '@yagura/core/query/version-order';
import { searchValues } from '@yagura/core/sonar/search-values';
import type { Database, Queryable } from '../db/database.ts';
import { toStoreJson } from '../db/store-json.ts';
import { runIsolatingFaults } from '../jobs/poison-row-guard.ts';

interface Forms {
  folded: string;
  number: number | null;
  /** Hexadecimal, for bytea: an address, or the address of a network and the length of its prefix. */
  ip: string | null;
  instant: number | null;
}

function formsOf(value: string): Forms {
  const network = parseNetwork(value);
  const ip = network ? [...network.base, network.size] : parseAddress(value);
  return {
    folded: value.toLowerCase(),
    number: parseNumber(value) ?? null,
    ip: ip ? Buffer.from(ip).toString('hex') : null,
    instant: parseDate(value) ?? null,
  };
}

/** Nodes per transaction; small, since the embedded database serves other callers in between. */
const batchSize = 50;

/**
 * Updates packages and search values of a snapshot's managed nodes in many short transactions. Nodes already
 * up to date are skipped, so that it can be restarted at any time. A node that cannot be indexed is passed to
 * `fail`, and the others are indexed.
 */
export async function indexSnapshot(
  database: Database,
  snapshotId: string,
  fail: (managedNodeId: string, error: unknown) => void,
): Promise<void> {
  for (let chunk = -1, place = 0; ; ) {
    const { rows } = await database.query<{
      node_id: string;
      space_id: string;
      managed_node_id: string | null;
      chunk: number;
      place: number;
    }>(
      `select node_id, space_id, managed_node_id, chunk, place from snapshot_node
       where snapshot_id = $1 and (chunk, place) > ($2, $3) order by chunk, place limit ${batchSize}`,
      [snapshotId, chunk, place],
    );
    const last = rows.at(-1);
    if (!last) return;
    ({ chunk, place } = last);
    const latest = new Map(
      rows.flatMap((row) => (row.managed_node_id ? [[row.managed_node_id, row.node_id]] : [])),
    );
    await runIsolatingFaults(
      [...latest],
      (nodes) =>
        database.transaction(async (tx) => {
          const ids = nodes.map(([managedNodeId]) => managedNodeId);
          await indexPackages(
            tx,
            last.space_id,
            nodes.map(([, nodeId]) => nodeId),
          );
          await indexValues(tx, ids);
        }),
      async ([managedNodeId], error) => fail(managedNodeId, error),
    );
  }
}

interface ChangedNode {
  managed_node_id: string;
  space_id: string;
  network_id: string;
  display_name: string;
  remarks: string;
  vendor: string;
  inventory: HostInventory;
  tags: Record<string, string>;
  hotfix_ids: string[] | null;
  hash: string;
}

/** Evidence changes with every scan and is not searched. */
const hashSql = `sha256(convert_to(concat_ws(chr(31), m.display_name, m.remarks, m.vendor, (m.facts - 'evidence')::text, m.tags::text, m.windows_updates::text), 'UTF8'))`;

/** Writes the values of the nodes that have changed since. */
export async function indexValues(tx: Queryable, managedNodeIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<ChangedNode>(
    `select m.managed_node_id, m.space_id, m.network_id, m.display_name, m.remarks, m.vendor, m.facts as inventory, m.tags,
       (select jsonb_agg(u->>'hotfixId') from jsonb_array_elements(m.windows_updates) u) as hotfix_ids,
       encode(${hashSql}, 'hex') as hash
     from managed_node m where m.managed_node_id = any($1::uuid[]) and m.values_hash is distinct from ${hashSql}`,
    [managedNodeIds],
  );
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.managed_node_id);
  await tx.query('delete from managed_node_value where managed_node_id = any($1::uuid[])', [ids]);
  const values = rows.flatMap((row) =>
    searchValues({
      displayName: row.display_name,
      remarks: row.remarks,
      vendor: row.vendor,
      inventory: row.inventory,
      tags: row.tags,
      hotfixIds: row.hotfix_ids ?? [],
    }).map(([field, value]) => ({
      space_id: row.space_id,
      network_id: row.network_id,
      managed_node_id: row.managed_node_id,
      field,
      value,
      ...formsOf(value),
    })),
  );
  await tx.query(
    `insert into managed_node_value (space_id, network_id, managed_node_id, field, value, folded, number, ip, instant)
     select space_id, network_id, managed_node_id, field, value, folded, number, decode(ip, 'hex'), instant
     from jsonb_to_recordset($1::jsonb) as x(space_id uuid, network_id uuid, managed_node_id uuid, field text, value text,
       folded text, number double precision, ip text, instant double precision)`,
    [toStoreJson(values)],
  );
  await tx.query(
    `update managed_node m set values_hash = decode(x.hash, 'hex')
     from jsonb_to_recordset($1::jsonb) as x(managed_node_id uuid, hash text) where m.managed_node_id = x.managed_node_id`,
    [toStoreJson(rows.map(({ managed_node_id, hash }) => ({ managed_node_id, hash })))],
  );
}

/**
 * Copies packages from the matching snapshot nodes to the managed nodes; unchanged ones are not rewritten.
 */
export async function indexPackages(
  tx: Queryable,
  spaceId: string,
  nodeIds: readonly string[],
): Promise<void> {
  const { rows: changed } = await tx.query<{ node_id: string }>(
    `select n.node_id from snapshot_node n join managed_node m on m.managed_node_id = n.managed_node_id
     where n.node_id = any($1::uuid[]) and n.number_of_packages > 0
       and m.packages_hash is distinct from sha256(convert_to(n.packages::text, 'UTF8'))`,
    [nodeIds],
  );
  if (changed.length === 0) return;
  const ids = changed.map((row) => row.node_id);
  const listed = `snapshot_node n cross join lateral jsonb_to_recordset(n.packages) as p(name text, version text, arch text)`;
  const { rows: fresh } = await tx.query<{ name: string; version: string; arch: string }>(
    `select distinct p.name, p.version, p.arch from ${listed}
     where n.node_id = any($1::uuid[]) and not exists (select 1 from package k
       where k.space_id = $2 and k.name = p.name and k.version = p.version and k.arch = p.arch)`,
    [ids, spaceId],
  );
  const perWrite = 5000;
  for (let at = 0; at < fresh.length; at += perWrite) {
    await tx.query(
      `insert into package (space_id, name, version, arch, folded, version_key, number, ip, instant)
       select $1, name, version, arch, folded, version_key, number, decode(ip, 'hex'), instant
       from jsonb_to_recordset($2::jsonb) as x(name text, version text, arch text, folded text, version_key text,
         number double precision, ip text, instant double precision) on conflict do nothing`,
      [
        spaceId,
        toStoreJson(
          fresh
            .slice(at, at + perWrite)
            .map((one) => ({ ...one, ...formsOf(one.name), version_key: versionKey(one.version) })),
        ),
      ],
    );
  }
  await tx.query(
    'delete from managed_node_package where managed_node_id in (select managed_node_id from snapshot_node where node_id = any($1::uuid[]))',
    [ids],
  );
  await tx.query(
    `insert into managed_node_package (space_id, network_id, managed_node_id, package_id)
     select distinct n.space_id, n.network_id, n.managed_node_id, k.package_id from ${listed}
     join package k on k.space_id = n.space_id and k.name = p.name and k.version = p.version and k.arch = p.arch
     where n.node_id = any($1::uuid[]) on conflict do nothing`,
    [ids],
  );
  await tx.query(
    `update managed_node m set packages_hash = sha256(convert_to(n.packages::text, 'UTF8')),
       number_of_packages = (select count(*) from managed_node_package l where l.managed_node_id = m.managed_node_id)
     from snapshot_node n where n.managed_node_id = m.managed_node_id and n.node_id = any($1::uuid[])`,
    [ids],
  );
}
