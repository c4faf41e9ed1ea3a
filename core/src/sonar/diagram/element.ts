// Elements of a diagram, as returned by the API.
import { z } from 'zod';
import { exactPosition } from '../../resource/exact-position.ts';
import * as field from '../../resource/field.ts';
import { nodeStates } from '../managed-node.ts';

/** Limits of one diagram; elements beyond them are omitted, which the reply indicates. */
export const diagramLimits = { nodes: 2000, parts: 20_000 } as const;

/** Id of an element within a diagram: its kind and a key unique within the kind. */
const elementId = () => field.withKind('text', z.string().min(1).max(255));

/** Position (upper left corner), size, and container. */
const elementPlacement = {
  posX: exactPosition().optional(),
  posY: exactPosition().optional(),
  width: field.integer(0, 10_000_000).optional(),
  height: field.integer(0, 10_000_000).optional(),
  container: elementId().nullable().optional(),
  /** Positioned by a user. */
  moved: field.flag().optional(),
};

export const diagramNode = z.object({
  elementId: elementId(),
  /** Null for a device known only from the data of other devices. */
  managedNodeId: field.uuid().nullable(),
  displayName: field.text(),
  state: field.choice(nodeStates).nullable(),
  /** The first device type; empty if unknown. */
  type: field.text(64),
  addr: field.text(64).nullable(),
  macaddr: field.text(17).nullable(),
  vendor: field.text(),
  numberOfAddresses: field.count(),
  ...elementPlacement,
});
export type DiagramNode = z.output<typeof diagramNode>;

const nic = z.object({
  elementId: elementId(),
  node: elementId(),
  ifname: field.text(),
  macaddr: field.text(17).nullable(),
  linkState: field.text(16).nullable(),
});
export type DiagramNic = z.output<typeof nic>;

const address = z.object({
  elementId: elementId(),
  node: elementId(),
  nic: elementId().nullable(),
  addr: field.text(64),
  subnet: elementId().nullable(),
});
export type DiagramAddress = z.output<typeof address>;

/**
 * Measured: one end named the other (LLDP, CDP). Confirmed: both did. Inferred: from a port's address table,
 * or from a subnet.
 */
export const linkEvidence = ['confirmed', 'measured', 'inferred'] as const;
export type LinkEvidence = (typeof linkEvidence)[number];

const link = z.object({
  elementId: elementId(),
  from: elementId(),
  to: elementId(),
  fromIfname: field.text().nullable(),
  toIfname: field.text().nullable(),
  evidence: field.choice(linkEvidence),
});
export type DiagramLink = z.output<typeof link>;

const subnet = z.object({
  elementId: elementId(),
  /** CIDR form. */
  subnet: field.text(64),
  numberOfNodes: field.count(),
  ...elementPlacement,
});

export const diagramElements = z.object({
  nodes: z.array(diagramNode),
  nics: z.array(nic),
  addresses: z.array(address),
  links: z.array(link),
  subnets: z.array(subnet),
  /** Number of managed nodes in the network. */
  total: field.count(),
  /** Elements were omitted. */
  truncated: field.flag(),
});
export type DiagramElements = z.output<typeof diagramElements>;
