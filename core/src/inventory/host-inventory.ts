// Schema of host data, shared by snapshot nodes and managed nodes.
import { z } from 'zod';
import * as field from '../resource/field.ts';

/** Maximum length of a long text field of a host. */
const maxLongText = 1024;

/** Groups of a host's data; each is read, and replaced, as a whole. */
export const inventoryGroups = [
  'addresses',
  'interfaces',
  'neighbors',
  'system',
  'packages',
  'windowsUpdates',
  'routes',
  'listening',
  'services',
] as const;
export type InventoryGroup = (typeof inventoryGroups)[number];

/** Where a group was read; `agent` if the agent did not tell. */
export const inventorySources = [
  'arp',
  'tcp',
  'icmp',
  'dns',
  'ssh',
  'snmp',
  'winrm',
  'lldp',
  'cdp',
  'fdb',
  'agent',
] as const;
export type InventorySource = (typeof inventorySources)[number];

/** How a group of a host's data was learned. */
const evidence = z.object({
  group: field.choice(inventoryGroups),
  source: field.choice(inventorySources),
  at: field.dateTime(),
  /** Name of the credential file that was used, never its content. */
  credential: field.withKind('text', z.string().max(255).overwrite(toStorable)).optional(),
  /** VLANs of a forwarding table that could not be read. What is known of them stays. */
  unreadVlans: field.list(field.numericId(0, 4095), 4096).optional(),
});
export type Evidence = z.output<typeof evidence>;

const transports = ['tcp', 'udp'] as const;
const neighborProtocols = ['lldp', 'cdp', 'fdb'] as const;

/** Text as reported by a device, without the characters that databases cannot store. */
const storableText = (max = 255) => field.withKind('text', z.string().max(max).overwrite(toStorable));
const nullableText = (max = 255) => storableText(max).nullable().default(null);
const absentText = (max = 255) => storableText(max).optional();
const portNumber = () => field.numericId(0, 65_535);

/** Rows of a host's lists. */
export const inventoryLimits = {
  addresses: 256,
  interfaces: 2048,
  neighbors: 2048,
  routes: 4096,
  listening: 2048,
  evidence: 64,
} as const;

/** The shape of a host; `unknown` makes a text that may not be known, and `port` a port. */
const inventoryShape = <T extends z.ZodType, P extends z.ZodType>(unknown: (max?: number) => T, port: P) => {
  const address = z.object({
    addr: field.withKind('text', z.union([z.ipv4(), z.ipv6()])),
    /** Network in CIDR form, if known. */
    subnet: unknown(64),
    /** MAC address in lower case with colons. */
    macaddr: unknown(17),
    hostnames: field.list(z.object({ hostname: storableText() }), 100).default([]),
    services: field
      .list(
        z.object({
          name: storableText(64),
          port,
          proto: field.choice(transports).optional(),
          product: absentText(),
          version: absentText(),
        }),
        200,
      )
      .default([]),
    extraFields: field.json().default({}),
  });
  /** Network interfaces as read on the host itself: one row per address. */
  const networkInterface = z.object({
    ifname: storableText(),
    macaddr: unknown(17),
    addr: unknown(64),
    netmask: unknown(64),
    linkState: unknown(16),
  });
  /** The device at the other end of an interface (from LLDP, CDP, or a bridge's forwarding table). */
  const neighbor = z.object({
    ifname: storableText(),
    /** Absent if the device announces itself by something else, such as its name. */
    macaddr: absentText(17),
    remoteIfname: unknown(),
    protocol: field.choice(neighborProtocols).optional(),
    vlan: field.numericId(0, 4095).optional(),
    remoteName: absentText(),
    remoteAddr: absentText(64),
  });
  const route = z.object({
    /** Network in CIDR form. */
    destination: storableText(64),
    gateway: absentText(64),
    ifname: absentText(),
    metric: field.integer(0, 4_294_967_295).optional(),
    /** Origin of the route, such as `static` or `ospf`. */
    protocol: absentText(32),
  });
  /** Ports on which the host accepts connections or datagrams, as read on the host itself. */
  const listeningPort = z.object({
    protocol: field.choice(transports),
    address: storableText(64),
    port: portNumber(),
    process: absentText(),
  });
  return {
    addresses: field.list(address, inventoryLimits.addresses).default([]),
    interfaces: field.list(networkInterface, inventoryLimits.interfaces).default([]),
    neighbors: field.list(neighbor, inventoryLimits.neighbors).default([]),
    routes: field.list(route, inventoryLimits.routes).default([]),
    listening: field.list(listeningPort, inventoryLimits.listening).default([]),
    system: field
      .object({
        family: storableText().default(''),
        version: storableText(maxLongText).default(''),
        serial: storableText().default(''),
      })
      .default({ family: '', version: '', serial: '' }),
    deviceTypes: field.list(z.object({ type: storableText(64) }), 32).default([]),
    /**
     * Where each group of data was read. A group without an entry was not read, and what is known of it
     * stays. Empty for an agent that does not tell: then the groups that are not empty were read.
     */
    evidence: field.list(evidence, inventoryLimits.evidence).default([]),
    /** Other data, free-form; `KnownExtraFields` names what Yagura's own agent reports. */
    extraFields: field.json().default({}),
  };
};

/** A host as reported by an agent and stored: what is not known is null. */
export const reportedInventoryShape = inventoryShape(nullableText, portNumber().nullable().default(null));
/** A host as the API returns it: what is not known inside a list is absent. */
export const hostInventoryShape = inventoryShape(absentText, portNumber().optional());

/**
 * Members of a host's `extraFields` that Yagura's own agent fills in as far as they are known. Existing
 * clients read these names.
 */
export interface KnownExtraFields {
  kernel?: { name?: string; version?: string; release?: string };
  bios?: { vendorName?: string; versionNumber?: string };
  motherboard?: { vendorName?: string; modelNumber?: string; versionNumber?: string; serialNumber?: string };
  product?: {
    vendorName?: string;
    modelName?: string;
    modelNumber?: string;
    versionNumber?: string;
    serialNumber?: string;
    firmwareVersionNumber?: string;
  };
  /** One member `cpu0`, `cpu1`, ... per socket, besides the counts; clock speed in MHz. */
  cpu?: {
    numberOfSockets?: number;
    numberOfCores?: number;
    numberOfProcessors?: number;
    [socket: `cpu${number}`]: { modelName?: string; clockSpeed?: number };
  };
  /** Sizes in KiB. */
  memory?: { totalSize?: number };
  storage?: { numberOfDrives?: number; totalSize?: number };
  networking?: {
    macaddrs?: Record<string, { organizationName: string }>;
    defaultGateways?: { addr: string; interface?: string }[];
  };
}

export type HostInventory = {
  [K in keyof typeof reportedInventoryShape]: z.output<(typeof reportedInventoryShape)[K]>;
};

export const packageShape = {
  name: storableText(),
  version: storableText().default(''),
  arch: storableText(64).default(''),
};
export const windowsUpdateShape = {
  hotfixId: storableText(64),
  description: storableText(maxLongText).default(''),
  installedAt: field.dateTime().nullable().default(null),
};

function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
