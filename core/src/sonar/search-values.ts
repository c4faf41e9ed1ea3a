// Searchable fields of managed nodes, a node's values for them, and the default fields.

import type { HostInventory } from '../inventory/host-inventory.ts';
import { textAt } from '../inventory/node-summary.ts';

/** Fields whose values are lists of text from a node's data. */
export const storedFields = [
  'name',
  'hostname',
  'addr',
  'subnet',
  'mac',
  'ifname',
  'vendor',
  'model',
  'serial',
  'family',
  'version',
  'type',
  'service',
  'port',
  'process',
  'route',
  'gateway',
  'hotfix',
  'remarks',
] as const;

/** Fields that are columns of a node's row. */
export const rowFields = [
  'networkId',
  'managedNodeId',
  'state',
  'addresses',
  'packages',
  'hotfixes',
  'firstSeenAt',
  'lastScanSucceededAt',
] as const;

/** Names and versions of installed packages. */
export const packageField = 'package';

/**
 * Fields searched by words without a field: names, addresses, MACs, serials and packages, and the network id.
 */
export const defaultFields = [
  'name',
  'hostname',
  'addr',
  'mac',
  'serial',
  packageField,
  'networkId',
] as const;

/** Whether a search may use the field; `tag.<key>` is a tag's value. */
export function isSearchField(field: string): boolean {
  return (
    field === packageField ||
    (storedFields as readonly string[]).includes(field) ||
    (rowFields as readonly string[]).includes(field) ||
    /^tag\.[\p{L}\p{N}_-]{1,64}$/u.test(field)
  );
}

/** Source of the stored fields. */
export interface SearchSource {
  displayName: string;
  remarks: string;
  vendor: string;
  inventory: HostInventory;
  tags: Record<string, string>;
  hotfixIds: readonly string[];
}

/** All distinct, nonempty values of a node's stored fields and tags. */
export function searchValues({
  displayName,
  remarks,
  vendor,
  inventory,
  tags,
  hotfixIds,
}: SearchSource): [field: string, value: string][] {
  const { addresses, interfaces, system, deviceTypes, extraFields } = inventory;
  // Nodes that were stored before these fields existed lack them.
  const { routes = [], listening = [] }: Partial<HostInventory> = inventory;
  const services = addresses.flatMap((one) => one.services);
  const lists: Record<(typeof storedFields)[number], (string | null | undefined)[]> = {
    name: [displayName],
    hostname: addresses.flatMap((one) => one.hostnames.map(({ hostname }) => hostname)),
    addr: [...addresses.map((one) => one.addr), ...interfaces.map((one) => one.addr)],
    subnet: addresses.map((one) => one.subnet),
    mac: [...addresses, ...interfaces].map((one) => one.macaddr),
    ifname: interfaces.map((one) => one.ifname),
    vendor: [vendor],
    model: [textAt(extraFields, 'product', 'modelName'), textAt(extraFields, 'product', 'modelNumber')],
    serial: [system.serial, textAt(extraFields, 'product', 'serialNumber')],
    family: [system.family],
    version: [system.version],
    type: deviceTypes.map(({ type }) => type),
    service: services.map(({ name }) => name),
    port: [...services, ...listening].map(({ port }) => (port === null ? null : String(port))),
    process: listening.map(({ process }) => process),
    route: routes.map(({ destination }) => destination),
    gateway: routes.map(({ gateway }) => gateway),
    hotfix: [...hotfixIds],
    remarks: [remarks],
  };
  const found = Object.entries(lists).flatMap(([field, values]) =>
    [...new Set(values)].flatMap((value): [string, string][] => (value ? [[field, value]] : [])),
  );
  return [...found, ...Object.entries(tags).map(([key, value]): [string, string] => [`tag.${key}`, value])];
}
