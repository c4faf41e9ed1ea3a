// Signatures that were copied with a disk image: found at several devices of one scan, they identify none.
import { cloneableKinds, type Signature } from '@yagura/core/inventory/host-signature';
import type { Queryable, Transaction } from '../../db/database.ts';
import { readHosts } from './snapshot-hosts.ts';

/** Hosts with one value beyond which they are not compared with each other any more. */
const maxCompared = 50;

const keyOf = ({ kind, value }: Signature) => `${kind} ${value}`;
const isCloneable = ({ kind }: Signature) => cloneableKinds.includes(kind);

/** Values of hosts that share nothing else; a host that was reported twice is no clone of itself. */
export async function findCloned(db: Queryable, snapshotId: string): Promise<Signature[]> {
  /** By value, what the first hosts that have it have besides. */
  const found = new Map<string, { signature: Signature; others: Set<string>[] }>();
  for await (const { signatures } of readHosts<{ signatures: Signature[] }>(db, snapshotId, 'signatures')) {
    const others = new Set(signatures.filter((one) => !isCloneable(one)).map(keyOf));
    for (const signature of signatures.filter(isCloneable)) {
      const key = keyOf(signature);
      const hosts = found.get(key) ?? { signature, others: [] };
      found.set(key, hosts);
      if (hosts.others.length <= maxCompared) hosts.others.push(others);
    }
  }
  return [...found.values()].filter(({ others }) => areClones(others)).map(({ signature }) => signature);
}

function areClones(hosts: readonly ReadonlySet<string>[]): boolean {
  if (hosts.length > maxCompared) return true;
  return hosts.some((first, index) =>
    hosts.slice(index + 1).some((second) => ![...first].some((key) => second.has(key))),
  );
}

/** Adds cloned values to those of the network, and takes them away from the devices that have them. */
export async function storeCloned(
  tx: Transaction,
  { spaceId, networkId }: { spaceId: string; networkId: string },
  cloned: readonly Signature[],
): Promise<void> {
  const values = valuesOf(cloned);
  await tx.query(
    `insert into cloned_signature (space_id, network_id, kind, value)
     select $1, $2, kind, value from unnest($3::text[], $4::text[]) as x(kind, value) on conflict do nothing`,
    [spaceId, networkId, ...values],
  );
  await tx.query(
    `delete from managed_node_signature s using unnest($2::text[], $3::text[]) as x(kind, value)
     where s.network_id = $1 and s.kind = x.kind and s.value = x.value`,
    [networkId, ...values],
  );
}

/** Returns a function that leaves out those of these signatures that are cloned in the network. */
export async function withoutCloned(
  tx: Queryable,
  networkId: string,
  signatures: readonly Signature[],
): Promise<(signatures: readonly Signature[]) => Signature[]> {
  const { rows } = await tx.query<Signature>(
    `select c.kind, c.value from unnest($2::text[], $3::text[]) as x(kind, value)
     join cloned_signature c on c.network_id = $1 and c.kind = x.kind and c.value = x.value`,
    [networkId, ...valuesOf(signatures.filter(isCloneable))],
  );
  const cloned = new Set(rows.map(keyOf));
  return (list) => list.filter((one) => !cloned.has(keyOf(one)));
}

export function valuesOf(signatures: readonly Signature[]): [kinds: string[], values: string[]] {
  return [signatures.map(({ kind }) => kind), signatures.map(({ value }) => value)];
}
