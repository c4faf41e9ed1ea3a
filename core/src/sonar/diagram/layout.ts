// Positions the elements of a diagram automatically, except those moved by a user.
import { arrange, type Box, type Vertex } from './arrange.ts';
import type { DiagramElements } from './element.ts';
import { subnetOrder } from './layer3.ts';

/** A position chosen by a user, as its digits. */
export interface MovedPosition {
  posX: string;
  posY: string;
}

type LayoutElements = Omit<DiagramElements, 'total' | 'truncated'>;

/** Elements inside a moved element move with it. */
export function layOutDiagram<P extends LayoutElements>(
  parts: P,
  moved: ReadonlyMap<string, MovedPosition>,
): P {
  const boxes = arrange(
    verticesOf(parts),
    parts.links.map(({ from, to }) => [from, to] as const),
  );
  const placed = <E extends { elementId: string }>(element: E): E => {
    const box = boxes.get(element.elementId)!;
    const own = moved.get(element.elementId);
    const { width, height, container } = box;
    if (own) return { ...element, ...own, width, height, container, moved: true };
    const { x, y } = moveWithContainer(box, boxes, moved);
    return { ...element, posX: String(x), posY: String(y), width, height, container, moved: false };
  };
  return { ...parts, nodes: parts.nodes.map(placed), subnets: parts.subnets.map(placed) };
}

function moveWithContainer(
  box: Box,
  boxes: ReadonlyMap<string, Box>,
  moved: ReadonlyMap<string, MovedPosition>,
) {
  const own = box.container === null ? undefined : moved.get(box.container);
  if (!own) return box;
  const around = boxes.get(box.container!)!;
  return { x: box.x + Number(own.posX) - around.x, y: box.y + Number(own.posY) - around.y };
}

/**
 * Subnets contain nodes; without subnets, a device contains the devices connected to it alone. Tiles are
 * sorted by port or address.
 */
function verticesOf({ nodes, subnets, links }: LayoutElements): Vertex[] {
  const ports = new Map<string, string>();
  for (const { from, to, fromIfname, toIfname } of links) {
    ports.set(to, fromIfname ?? '');
    if (!ports.has(from)) ports.set(from, toIfname ?? '');
  }
  const isLayer2 = subnets.length === 0;
  return [
    ...subnets.map(({ elementId, subnet }) => ({ id: elementId, tile: false, order: subnetOrder(subnet) })),
    ...nodes.map(({ elementId, addr, displayName }) => ({
      id: elementId,
      tile: true,
      order: isLayer2
        ? `${padNumbers(ports.get(elementId) ?? '')} ${displayName}`
        : `${addr ? subnetOrder(addr) : '9'} ${displayName}`,
    })),
  ];
}

/** Pads numbers in a text for natural sorting: port 2 before port 10. */
function padNumbers(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.padStart(8, '0'));
}
