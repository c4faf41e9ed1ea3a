// What diagrams are made of: managed nodes, and what names them in a drawing.
import type { HostInventory } from '../../inventory/host-inventory.ts';
import type { NodeState } from '../managed-node.ts';
import type { DiagramNode } from './element.ts';

/** One managed node, with the part of its facts that diagrams look at. */
export interface DiagramSource extends Pick<HostInventory, 'interfaces' | 'neighbors' | 'deviceTypes'> {
  managedNodeId: string;
  displayName: string;
  state: NodeState;
  addr: string | null;
  macaddr: string | null;
  vendor: string;
  addresses: readonly { addr: string; subnet: string | null; macaddr: string | null }[];
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

/** A MAC in the one form that is compared: lower case, with colons; empty when it is none. */
export function normalizeMac(text: string | null | undefined): string {
  const digits = (text ?? '').toLowerCase().replace(/[^0-9a-f]/g, '');
  return digits.length === 12 && digits !== '000000000000' ? digits.replace(/(..)(?=.)/g, '$1:') : '';
}
