// Schema of host data, shared by snapshot nodes and managed nodes.
import { z } from 'zod';
import * as field from '../resource/field.ts';

/** Maximum length of a long text field of a host. */
const maxLongText = 1024;

/** Text as reported by a device, without the characters that databases cannot store. */
const storableText = (max = 255) => field.withKind('text', z.string().max(max).overwrite(toStorable));
const nullableText = (max = 255) => storableText(max).nullable().default(null);
const absentText = (max = 255) => storableText(max).optional();
const portNumber = () => field.integer(0, 65_535);

/** The shape of a host; `unknown` makes a text that may not be known, and `port` a port. */
const inventoryShape = <T extends z.ZodType, P extends z.ZodType>(unknown: (max?: number) => T, port: P) => {
  const address = z.object({
    addr: field.withKind('text', z.union([z.ipv4(), z.ipv6()])),
    /** Network in CIDR form, if known. */
    subnet: unknown(64),
    /** MAC address in lower case with colons. */
    macaddr: unknown(17),
    hostnames: field.list(z.object({ hostname: storableText() }), 100).default([]),
    services: field.list(z.object({ name: storableText(64), port }), 200).default([]),
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
    macaddr: storableText(17),
    remoteIfname: unknown(),
  });
  return {
    addresses: field.list(address, 256).default([]),
    interfaces: field.list(networkInterface, 2048).default([]),
    neighbors: field.list(neighbor, 2048).default([]),
    system: field
      .object({
        family: storableText().default(''),
        version: storableText(maxLongText).default(''),
        serial: storableText().default(''),
      })
      .default({ family: '', version: '', serial: '' }),
    deviceTypes: field.list(z.object({ type: storableText(64) }), 32).default([]),
    /** Other data: kernel, bios, motherboard, product, cpu, memory and storage (KiB), networking. */
    extraFields: field.json().default({}),
  };
};

/** A host as reported by an agent and stored: what is not known is null. */
export const reportedInventoryShape = inventoryShape(nullableText, portNumber().nullable().default(null));
/** A host as the API returns it: what is not known inside a list is absent. */
export const hostInventoryShape = inventoryShape(absentText, portNumber().optional());

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
