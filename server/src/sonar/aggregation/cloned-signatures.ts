// Signatures that were copied with a disk image: found at several devices of one scan, they identify none of them.
import { cloneableKinds, type Signature, type SignatureKind } from '@yagura/core/inventory/host-signature';
import type { Queryable, Transaction } from '../../db/database.ts';
import { readHosts } from './snapshot-hosts.ts';

/** Hosts with one value beyond which they are not compared with each other any more. */
const maxCompared = 50;

const keyOf = ({ kind, value }: Signature) => `${kind} ${value}`;
const isCloneable = ({ kind }: Signature) => cloneableKinds.includes(kind);

type ValuesByKind = ReadonlyMap<SignatureKind, ReadonlySet<string>>;

/** Values that two devices of a scan have. */
export async function findCloned(db: Queryable, snapshotId: string): Promise<Signature[]> {
  /** By value, the first hosts that have it. */
  const found = new Map<string, { signature: Signature; hosts: ValuesByKind[] }>();
  for await (const { signatures } of readHosts<{ signatures: Signature[] }>(db, snapshotId, 'signatures')) {
    const values = new Map<SignatureKind, Set<string>>();
    for (const { kind, value } of signatures) values.set(kind, (values.get(kind) ?? new Set()).add(value));
    for (const signature of signatures.filter(isCloneable)) {
      const key = keyOf(signature);
      const same = found.get(key) ?? { signature, hosts: [] };
      found.set(key, same);
      if (same.hosts.length <= maxCompared) same.hosts.push(values);
    }
  }
  return [...found.values()].filter(({ hosts }) => areClones(hosts)).map(({ signature }) => signature);
}

function areClones(hosts: readonly ValuesByKind[]): boolean {
  if (hosts.length > maxCompared) return true;
  return hosts.some((first, index) => hosts.slice(index + 1).some((second) => areTwoDevices(first, second)));
}

/**
 * Whether hosts differ in a kind that both have. A kind that one of them lacks says nothing: a router that answers on two
 * interfaces may show nothing but its host key. Hosts that share what is never copied are one device, whatever differs.
 */
function areTwoDevices(first: ValuesByKind, second: ValuesByKind): boolean {
  let differ = false;
  for (const [kind, values] of first) {
    const others = second.get(kind);
    if (!others) continue;
    const isShared = [...values].some((value) => others.has(value));
    if (isShared && !cloneableKinds.includes(kind)) return false;
    differ ||= !isShared;
  }
  return differ;
}

/**
 * Adds cloned values to those of the network, and takes them away from the devices that have them. A value that no scan
 * has found to be cloned for as long as it takes a node to become outdated identifies again.
 */
export async function storeCloned(
  tx: Transaction,
  { spaceId, networkId, seenAt }: { spaceId: string; networkId: string; seenAt: string },
  cloned: readonly Signature[],
): Promise<void> {
  const values = valuesOf(cloned);
  await tx.query(
    `insert into cloned_signature (space_id, network_id, kind, value, found_at)
     select $1, $2, kind, value, $5 from unnest($3::text[], $4::text[]) as x(kind, value)
     on conflict (network_id, kind, value) do update set found_at = excluded.found_at`,
    [spaceId, networkId, ...values, seenAt],
  );
  await tx.query(
    `delete from cloned_signature c using resource r
     where r.space_id = $1 and r.kind = 'network' and r.id = $2 and c.network_id = r.id
       and c.found_at <= $3::timestamptz - make_interval(hours => 24 * (r.body->'configuration'->>'outdatedDays')::int)`,
    [spaceId, networkId, seenAt],
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
