// A diagram as it is drawn: things with their places, and the ways between them.
import type { LinkEvidence } from '@yagura/core/sonar/diagram/element';

export interface DiagramNode {
  id: string;
  /** Absent for what has no page. */
  href?: string;
  name: string;
  /** Second line: its address, or the port that it hangs on. */
  note: string;
  /** Key of its kind's word, after `diagram.type.`. */
  type: string;
  state: string | null;
  vendor: string;
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

/** Height of the head of a thing that holds others; of a tile, all of it. */
export const headerHeight = 52;
const margin = 32;

/** What shows all things. */
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

/** A view `factor` times as near, that keeps a point where it is. */
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

/** The things with what was moved put in place; what is inside of a moved thing goes with it. */
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

/** Whether a thing lies within the one that holds it, so that no way has to be drawn. */
export function isInside(one: DiagramNode, by: DiagramNode): boolean {
  if (one.container !== by.id) return false;
  return (
    one.x >= by.x &&
    one.y >= by.y &&
    one.x + one.width <= by.x + by.width &&
    one.y + one.height <= by.y + by.height
  );
}

/** The line between two things, and where its label stands: down from the upper one's foot, across, down to the head of the lower one. */
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

/** The nearest thing in the direction of an arrow key; what lies straight ahead is nearer than what lies aside. */
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

/** Ids of the things that a text is part of, in the order in which they are read: rows from above. */
export function findNodes(nodes: readonly DiagramNode[], text: string): string[] {
  const query = text.trim().toLowerCase();
  if (!query) return [];
  return nodes
    .filter(({ name, note, vendor }) => `${name}\n${note}\n${vendor}`.toLowerCase().includes(query))
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map(({ id }) => id);
}

function centerX({ x, width }: DiagramNode): number {
  return x + width / 2;
}
