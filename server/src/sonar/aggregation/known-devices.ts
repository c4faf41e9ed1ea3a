// Loads the devices of a network that hosts may be, with what users decided about devices.
import { DecidedDevices, type Pin } from '@yagura/core/inventory/device-decisions';
import type { Signature } from '@yagura/core/inventory/host-signature';
import type { Queryable } from '../../db/database.ts';
import { valuesOf } from './cloned-signatures.ts';

/**
 * Devices with any of these signatures, and those that a user's decision may assign; no other device can be
 * matched by hosts that have no other signatures.
 */
export async function loadDevices(
  db: Queryable,
  networkId: string,
  signatures: readonly Signature[],
): Promise<DecidedDevices> {
  const devices = new DecidedDevices();
  const { rows: decisions } = await db.query<{ kind: 'merge' | 'split'; pins: Pin[] }>(
    'select kind, pins from node_decision where network_id = $1 order by decision_id',
    [networkId],
  );
  const pinned = decisions.flatMap(({ pins }) => pins.map(({ deviceId }) => deviceId));
  const { rows: known } = await db.query<Signature & { id: string }>(
    `select managed_node_id as id, kind, value from managed_node_signature
     where network_id = $1 and managed_node_id in (
       select s.managed_node_id from unnest($2::text[], $3::text[]) as x(kind, value)
       join managed_node_signature s on s.network_id = $1 and s.kind = x.kind and s.value = x.value
       union select unnest($4::uuid[]))`,
    [networkId, ...valuesOf(signatures), [...new Set(pinned)]],
  );
  for (const row of known) devices.addSignatures(row.id, [row]);
  const { rows: merged } = await db.query<{ device_id: string; managed_node_id: string }>(
    'select device_id, managed_node_id from managed_node_device where network_id = $1',
    [networkId],
  );
  for (const row of merged) devices.addMerged(row.device_id, row.managed_node_id);
  for (const decision of decisions) devices.addDecision(decision);
  return devices;
}
