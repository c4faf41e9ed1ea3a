// Columns that nodes of a snapshot and managed nodes have in common, from a host's data.
import type { HostInventory } from '@yagura/core/inventory/host-inventory';
import { nodeSummary } from '@yagura/core/inventory/node-summary';

/** Names and types of the columns, for `jsonb_to_record`. */
export const inventoryColumnTypes = `display_name text, addr text, macaddr text, system_family text, system_version text,
  system_serial text, vendor text, facts jsonb, number_of_addresses int`;

/** Values by column name: the data itself, and what lists sort and filter by. */
export function inventoryColumns(inventory: HostInventory) {
  const summary = nodeSummary(inventory);
  return {
    display_name: summary.displayName,
    addr: summary.addr,
    macaddr: summary.macaddr,
    system_family: summary.systemFamily,
    system_version: summary.systemVersion,
    system_serial: summary.systemSerial,
    vendor: summary.vendor,
    facts: inventory,
    number_of_addresses: summary.numberOfAddresses,
  };
}
