// Input of diagrams: managed nodes and the element ids derived from them.
import type { HostInventory } from '../../inventory/host-inventory.ts';
import type { NodeState } from '../managed-node.ts';
import type { DiagramNode } from './element.ts';

/** One managed node with the data that diagrams use. */
export interface DiagramSource extends Pick<HostInventory, 'interfaces' | 'neighbors' | 'deviceTypes'> {
  managedNodeId: string;
  displayName: string;
  state: NodeState;
  addr: string | null;
  macaddr: string | null;
  vendor: string;
  addresses: readonly {
    addr: string;
    subnet: string | null;
    macaddr: string | null;
    hostnames?: readonly { hostname: string }[];
  }[];
}

export const nodeElementId = (managedNodeId: string) => `node:${managedNodeId}`;

export function toDiagramNode(source: DiagramSource): DiagramNode {
  return {
    elementId: nodeElementId(source.managedNodeId),
    managedNodeId: source.managedNodeId,
    displayName: source.displayName,
    state: source.state,
    type: source.deviceTypes[0]?.type ?? '',
    addr: source.addr,
    macaddr: source.macaddr,
    vendor: source.vendor,
    numberOfAddresses: source.addresses.length,
  };
}

/** Normalizes a MAC to lower case with colons; empty if it is invalid. */
export function normalizeMac(text: string | null | undefined): string {
  const digits = (text ?? '').toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits.length === 12 && digits !== '000000000000' ? digits.replace(/(..)(?=.)/g, '$1:') : '';
}
