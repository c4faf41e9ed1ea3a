// Signatures that were copied with a disk image: found at several devices of one scan, they identify none.
import { cloneableKinds, type Signature } from '@yagura/core/inventory/host-signature';
import type { Transaction } from '../db/database.ts';

/** Hosts with one value beyond which they are not compared with each other any more. */
const maxCompared = 50;

const keyOf = ({ kind, value }: Signature) => `${kind} ${value}`;

export class ClonedSignatures {
  private readonly keys: ReadonlySet<string>;

  private constructor(keys: ReadonlySet<string>) {
    this.keys = keys;
  }

  /**
   * Adds the values that a snapshot shows to be cloned to those of its network, and takes them away from the
   * devices that have them.
   */
  static async update(
    tx: Transaction,
    { spaceId, networkId, snapshotId }: { spaceId: string; networkId: string; snapshotId: string },
  ): Promise<ClonedSignatures> {
    const found = await findCloned(tx, snapshotId);
    const values = [found.map((one) => one.kind), found.map((one) => one.value)];
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
    const { rows } = await tx.query<Signature>(
      'select kind, value from cloned_signature where network_id = $1',
      [networkId],
    );
    return new ClonedSignatures(new Set(rows.map(keyOf)));
  }

  without(signatures: readonly Signature[]): Signature[] {
    return signatures.filter((one) => !this.keys.has(keyOf(one)));
  }
}

/** Values of hosts that share nothing else; a host that was reported twice is no clone of itself. */
async function findCloned(tx: Transaction, snapshotId: string): Promise<Signature[]> {
  const { rows } = await tx.query<Signature & { hosts: Signature[][] }>(
    `select s.kind, s.value, (jsonb_agg(n.signatures order by n.chunk, n.place)) as hosts
     from snapshot_node n cross join lateral jsonb_to_recordset(n.signatures) as s(kind text, value text)
     where n.snapshot_id = $1 and s.kind = any($2::text[])
     group by s.kind, s.value having count(*) > 1`,
    [snapshotId, cloneableKinds],
  );
  return rows.filter(({ hosts }) => areClones(hosts)).map(({ kind, value }) => ({ kind, value }));
}

function areClones(hosts: readonly (readonly Signature[])[]): boolean {
  if (hosts.length > maxCompared) return true;
  const own = hosts.map(
    (one) => new Set(one.filter(({ kind }) => !cloneableKinds.includes(kind)).map(keyOf)),
  );
  return own.some((first, index) =>
    own.slice(index + 1).some((second) => ![...first].some((key) => second.has(key))),
  );
}
