// What is known of a host: the same of a snapshot's node and of the managed node that it became part of.
import { z } from 'zod';
import * as field from '../resource/field.ts';

/** Longest text of any one field of a host. */
const long = 1024;

/** A text as devices give it: characters that no store keeps are dropped. */
const given = (max = 255) => field.withKind('text', z.string().max(max).overwrite(storable));
const maybe = (max = 255) => given(max).nullable().default(null);

const address = z.object({
  addr: field.withKind('text', z.union([z.ipv4(), z.ipv6()])),
  /** Network in CIDR form, when it is known. */
  subnet: maybe(64),
  /** Lower case, with colons. */
  macaddr: maybe(17),
  hostnames: field.list(z.object({ hostname: given() }), 100).default([]),
  services: field
    .list(z.object({ name: given(64), port: field.integer(0, 65_535).nullable().default(null) }), 200)
    .default([]),
  extraFields: field.json().default({}),
});

/** Read from inside the host: one row for each address. */
const networkInterface = z.object({
  ifname: given(),
  macaddr: maybe(17),
  addr: maybe(64),
  netmask: maybe(64),
  linkState: maybe(16),
});

/** Another device at the other end of an interface (LLDP, CDP, or a bridge's table). */
const neighbor = z.object({ ifname: given(), macaddr: given(17), remoteIfname: maybe() });

export const nodeShape = {
  addresses: field.list(address, 256).default([]),
  interfaces: field.list(networkInterface, 2048).default([]),
  neighbors: field.list(neighbor, 2048).default([]),
  system: field
    .object({ family: given().default(''), version: given(long).default(''), serial: given().default('') })
    .default({ family: '', version: '', serial: '' }),
  deviceTypes: field.list(z.object({ type: given(64) }), 32).default([]),
  /** Whatever else was read: kernel, bios, motherboard, product, cpu, memory and storage (KiB), networking. */
  extraFields: field.json().default({}),
};

export type NodeFacts = {
  [K in keyof typeof nodeShape]: z.output<(typeof nodeShape)[K]>;
};

export const packageShape = { name: given(), version: given().default(''), arch: given(64).default('') };
export const windowsUpdateShape = {
  hotfixId: given(64),
  description: given(long).default(''),
  installedAt: field.dateTime().nullable().default(null),
};

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
