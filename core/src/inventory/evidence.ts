// Says of a scan, by the evidence that it left, what of a host it could have found.
import type { Evidence, HostInventory, InventoryGroup, InventorySource } from './host-inventory.ts';

/** Sources that each tell of some of the neighbors. */
export const neighborSources: readonly InventorySource[] = ['lldp', 'cdp', 'fdb'];

export function sourcesOf(evidence: readonly Evidence[], group: InventoryGroup): InventorySource[] {
  return evidence.flatMap((one) => (one.group === group ? [one.source] : []));
}

/** Whether SNMP alone told of a group. It tells less than a script on the host, and names much of it otherwise. */
export function isReadBySnmpOnly(sources: readonly InventorySource[]): boolean {
  return sources.length > 0 && sources.every((one) => one === 'snmp');
}

/** Whether a scan would have found a neighbor: it read the neighbor's protocol, and its VLAN if that is read alone. */
export function wouldFindNeighbor(
  evidence: readonly Evidence[],
  { protocol, vlan }: HostInventory['neighbors'][number],
): boolean {
  return evidence.some(({ group, source, unreadVlans = [] }) => {
    if (group !== 'neighbors') return false;
    const tells = protocol === undefined || source === protocol || !neighborSources.includes(source);
    return tells && (vlan === undefined || !unreadVlans.includes(vlan));
  });
}
