// Counts managed nodes and names the first of them, for notifications.

/** Maximum nodes that a notification names; the others are only counted. */
const maxNamed = 100;

export interface NamedNode {
  managedNodeId: string;
  displayName: string;
}

export interface NamedNodes {
  numberOfNodes: number;
  /** The first ones. */
  nodes: readonly NamedNode[];
}

export const noNodes: NamedNodes = { numberOfNodes: 0, nodes: [] };

export function addNodes(before: NamedNodes, more: readonly NamedNode[]): NamedNodes {
  return {
    numberOfNodes: before.numberOfNodes + more.length,
    nodes: [...before.nodes, ...more.slice(0, maxNamed - before.nodes.length)],
  };
}
