// Model of a diagram: positioned nodes and the edges between them.
import type { LinkEvidence } from '@yagura/core/sonar/diagram/element';

export interface DiagramNode {
  id: string;
  /** Absent for nodes without a page. */
  href?: string;
  name: string;
  /** Second line: the address or the connected port. */
  note: string;
  /** Suffix of the type's message key after `diagram.type.`. */
  type: string;
  state: string | null;
  vendor: string;
  /** What the search finds besides the texts: all addresses, and MAC addresses. */
  terms: readonly string[];
  isSubnet: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  container: string | null;
  moved: boolean;
}

export interface DiagramEdge {
  id: string;
  from: string;
  to: string;
  label: string;
  evidence: LinkEvidence;
}

export interface Point {
  x: number;
  y: number;
}

export interface ViewBox extends Point {
  width: number;
  height: number;
}

/** Height of a container's header, or of a whole tile. */
export const headerHeight = 52;
const margin = 32;

/** Returns the view that shows all nodes. */
export function boundingView(nodes: readonly DiagramNode[]): ViewBox {
  if (nodes.length === 0) return { x: 0, y: 0, width: 100, height: 100 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of nodes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return {
    x: left - margin,
    y: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

/** Zooms a view by `factor`, keeping a point in place. */
export function zoomView(view: ViewBox, factor: number, at: Point, whole: ViewBox): ViewBox {
  const least = 160;
  const max = 3 * Math.max(whole.width, whole.height, least);
  const width = Math.min(max, Math.max(least, view.width / factor));
  const by = width / view.width;
  return {
    x: at.x - (at.x - view.x) * by,
    y: at.y - (at.y - view.y) * by,
    width,
    height: view.height * by,
  };
}

/** Returns the nodes with moves applied; the contents of a container move with it. */
export function withMoves(
  nodes: readonly DiagramNode[],
  moves: ReadonlyMap<string, Point>,
): readonly DiagramNode[] {
  if (moves.size === 0) return nodes;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.map((node) => {
    const own = moves.get(node.id);
    if (own) return { ...node, ...own };
    const around = node.container === null || node.moved ? undefined : moves.get(node.container);
    if (!around) return node;
    const before = byId.get(node.container!)!;
    return { ...node, x: node.x + around.x - before.x, y: node.y + around.y - before.y };
  });
}

/** Returns whether a node lies inside its container, so that no edge is drawn. */
export function isInside(one: DiagramNode, by: DiagramNode): boolean {
  if (one.container !== by.id) return false;
  return (
    one.x >= by.x &&
    one.y >= by.y &&
    one.x + one.width <= by.x + by.width &&
    one.y + one.height <= by.y + by.height
  );
}

/**
 * Returns the line between two nodes and its label position: from the bottom of the upper node down, across,
 * and down to the top of the lower one.
 */
export function edgeBetween(one: DiagramNode, other: DiagramNode): { path: string; at: Point } {
  const [upper, lower] = one.y <= other.y ? [one, other] : [other, one];
  const [fromX, fromY] = [centerX(upper), upper.y + upper.height];
  const [toX, toY] = [centerX(lower), lower.y];
  const street = 24;
  if (toY - fromY >= street) {
    const bend = toY - street;
    return { path: `M${fromX} ${fromY}V${bend}H${toX}V${toY}`, at: { x: toX + 6, y: toY - 8 } };
  }
  const [y1, y2] = [upper.y + headerHeight / 2, lower.y + headerHeight / 2];
  return { path: `M${fromX} ${y1}L${toX} ${y2}`, at: { x: (fromX + toX) / 2 + 6, y: (y1 + y2) / 2 - 6 } };
}

/**
 * Returns the nearest node in the direction of an arrow key; nodes straight ahead count as nearer than those
 * to the side.
 */
export function nextNode(
  nodes: readonly DiagramNode[],
  from: DiagramNode,
  key: string,
): DiagramNode | undefined {
  const [dx, dy] = directions[key]!;
  let best: DiagramNode | undefined;
  let least = Infinity;
  for (const node of nodes) {
    if (node.id === from.id) continue;
    const x = centerX(node) - centerX(from);
    const y = node.y - from.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead <= 0 || aside > 2 * ahead + 8) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) [best, least] = [node, distance];
  }
  return best;
}

export const directions: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the ids of the nodes that contain a text, in reading order (rows from the top). */
export function findNodes(nodes: readonly DiagramNode[], text: string): string[] {
  const query = text.trim().toLowerCase();
  if (!query) return [];
  return nodes
    .filter(({ name, note, vendor, terms, isSubnet }) =>
      // The note of a subnet is a number of nodes.
      [name, isSubnet ? '' : note, vendor, ...terms].some((one) => one.toLowerCase().includes(query)),
    )
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map(({ id }) => id);
}

function centerX({ x, width }: DiagramNode): number {
  return x + width / 2;
}
