// Derives the display name and description of a host from its data.
import { cleanName } from '../validation/name-characters.ts';
import type { HostInventory } from './host-inventory.ts';

export interface NodeSummary {
  displayName: string;
  addr: string | null;
  macaddr: string | null;
  systemFamily: string;
  systemVersion: string;
  systemSerial: string;
  vendor: string;
  numberOfAddresses: number;
}

/** A host is named by its host name, otherwise by its address, otherwise by its MAC. */
export function nodeSummary(inventory: HostInventory): NodeSummary {
  const { addresses, interfaces, system } = inventory;
  const known = addresses.find((one) => one.addr.includes('.')) ?? addresses[0];
  const addr = known?.addr ?? null;
  const macaddr = known?.macaddr ?? [...addresses, ...interfaces].find((one) => one.macaddr)?.macaddr ?? null;
  const hostname = addresses.flatMap((one) => one.hostnames).find((one) => one.hostname !== '')?.hostname;
  return {
    // A host tells its name itself.
    displayName: cleanName(hostname ?? '') || (addr ?? macaddr ?? '-'),
    addr,
    macaddr,
    systemFamily: system.family,
    systemVersion: system.version,
    systemSerial: system.serial,
    vendor: vendorOf(inventory).slice(0, 255),
    numberOfAddresses: addresses.length,
  };
}

/** Vendor of the product, otherwise of its first network interface. */
function vendorOf({ extraFields, addresses }: HostInventory): string {
  const product = textAt(extraFields, 'product', 'vendorName');
  if (product) return product;
  for (const address of addresses) {
    const maker = textAt(address.extraFields, 'macaddr', 'organizationName');
    if (maker) return maker;
  }
  return '';
}

/** The text at a path of unknown data; empty if there is none. */
export function textAt(value: unknown, ...path: string[]): string {
  let inner = value;
  for (const name of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return '';
    inner = (inner as Record<string, unknown>)[name];
  }
  return typeof inner === 'string' ? inner : '';
}
