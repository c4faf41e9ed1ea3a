// Loads the devices of a network with what users decided about them.
import { DecidedDevices, type Pin } from '@yagura/core/inventory/device-decisions';
import type { Signature } from '@yagura/core/inventory/host-signature';
import type { Queryable } from '../db/database.ts';

export async function loadDevices(db: Queryable, networkId: string): Promise<DecidedDevices> {
  const devices = new DecidedDevices();
  const { rows: signatures } = await db.query<Signature & { id: string }>(
    'select managed_node_id as id, kind, value from managed_node_signature where network_id = $1',
    [networkId],
  );
  for (const row of signatures) devices.addSignatures(row.id, [row]);
  const { rows: merged } = await db.query<{ device_id: string; managed_node_id: string }>(
    'select device_id, managed_node_id from managed_node_device where network_id = $1',
    [networkId],
  );
  for (const row of merged) devices.addMerged(row.device_id, row.managed_node_id);
  const { rows: decisions } = await db.query<{ kind: 'merge' | 'split'; pins: Pin[] }>(
    'select kind, pins from node_decision where network_id = $1 order by decision_id',
    [networkId],
  );
  for (const decision of decisions) devices.addDecision(decision);
  return devices;
}
