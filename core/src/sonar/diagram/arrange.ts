// Lays out a diagram deterministically, in linear time except for sorting.
// A vertex connected to only one other may be drawn inside it, as a tile of a grid. The remaining boxes form
// a spanning tree from the center of the graph: each box is placed above its children's blocks, which are in
// rows around a trunk.

export interface Vertex {
  id: string;
  /** May be drawn inside its only neighbor. */
  tile: boolean;
  /** Sort key among siblings. */
  order: string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The box that contains it. */
  container: string | null;
}

export const tileSize = { width: 176, height: 52 };
/** Distance between tiles, and between a box and its content. */
export const gap = 12;
/** Distance between boxes, through which links run. */
const boxSpacing = 48;
/** Target ratio of the width of the rows to their total height. */
const targetAspectRatio = 2;

interface Block {
  width: number;
  height: number;
  /**
   * Places the block's own boxes with its upper left corner at a position, and returns the positions of the
   * inner blocks.
   */
  put(x: number, y: number): Placed[];
}
type Placed = [block: Pick<Block, 'put'>, x: number, y: number];

/** Boxes of all vertices; `edges` contain vertex ids. */
export function arrange(
  vertices: readonly Vertex[],
  edges: readonly (readonly [string, string])[],
): Map<string, Box> {
  const known = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  const adjacency = neighbours(known, edges);
  const byOrder = (one: string, other: string) => compare(known.get(one)!, known.get(other)!);
  const holder = containers(vertices, adjacency);
  const tiles = new Map<string, string[]>();
  for (const [id, inside] of holder) {
    const list = tiles.get(inside) ?? [];
    list.push(id);
    tiles.set(inside, list);
  }
  for (const list of tiles.values()) list.sort(byOrder);

  const boxes = new Map<string, Box>();
  const backbone = vertices.filter(({ id }) => !holder.has(id) && adjacency.get(id)!.size > 0);
  const seen = new Set<string>();
  const blocks = backbone.sort(compare).flatMap(({ id: any }) => {
    if (seen.has(any)) return [];
    const root = centerOf(any, adjacency, holder, byOrder);
    const { order, children } = spanningTree(root, adjacency, holder, seen, byOrder);
    // Leaves first, so that the children's blocks exist already.
    const made = new Map<string, Block>();
    for (const id of order.reverse())
      made.set(
        id,
        blockOf(
          boxBlock(id, tiles.get(id) ?? [], boxes),
          children.get(id)!.map((child) => made.get(child)!),
        ),
      );
    return [made.get(root)!];
  });
  const loose = vertices.filter(({ id }) => adjacency.get(id)!.size === 0).sort(compare);
  if (loose.length > 0)
    blocks.push(
      gridBlock(
        loose.map(({ id }) => id),
        null,
        boxes,
      ),
    );
  // Iterative, because a chain of devices may be deep.
  const open: Placed[] = [[arrangeInRows(blocks, 0), 0, 0]];
  for (let next = open.pop(); next; next = open.pop()) open.push(...next[0].put(next[1], next[2]));
  return boxes;
}

function compare(one: Vertex, other: Vertex): number {
  return one.order < other.order ? -1 : one.order > other.order ? 1 : one.id < other.id ? -1 : 1;
}

function neighbours(
  known: ReadonlyMap<string, Vertex>,
  edges: readonly (readonly [string, string])[],
): Map<string, Set<string>> {
  const adjacency = new Map([...known.keys()].map((id) => [id, new Set<string>()]));
  for (const [from, to] of edges) {
    if (from === to || !adjacency.has(from) || !adjacency.has(to)) continue;
    adjacency.get(from)!.add(to);
    adjacency.get(to)!.add(from);
  }
  return adjacency;
}

/** The container of each tile. Of two vertices that only have each other, the later in order is the tile. */
function containers(
  vertices: readonly Vertex[],
  adjacency: ReadonlyMap<string, Set<string>>,
): Map<string, string> {
  const holder = new Map<string, string>();
  for (const vertex of [...vertices].sort(compare).reverse()) {
    const [only] = adjacency.get(vertex.id)!;
    if (!vertex.tile || adjacency.get(vertex.id)!.size !== 1 || holder.has(only!)) continue;
    holder.set(vertex.id, only!);
  }
  return holder;
}

/**
 * The box in the middle of a longest path, so that the tree is shallow; of two, the one with more neighbors.
 */
function centerOf(
  any: string,
  adjacency: ReadonlyMap<string, Set<string>>,
  holder: ReadonlyMap<string, string>,
  byOrder: (one: string, other: string) => number,
): string {
  const [end] = pathFromFarthest(any, adjacency, holder, byOrder);
  const way = pathFromFarthest(end!, adjacency, holder, byOrder);
  const [one, other] = [way[Math.floor((way.length - 1) / 2)]!, way[Math.ceil((way.length - 1) / 2)]!];
  const difference = adjacency.get(one)!.size - adjacency.get(other)!.size || byOrder(other, one);
  return difference >= 0 ? one : other;
}

/** The path to a box from the one farthest from it. */
function pathFromFarthest(
  start: string,
  adjacency: ReadonlyMap<string, Set<string>>,
  holder: ReadonlyMap<string, string>,
  byOrder: (one: string, other: string) => number,
): string[] {
  const { order, children } = spanningTree(start, adjacency, holder, new Set(), byOrder);
  const above = new Map([...children].flatMap(([id, below]) => below.map((child) => [child, id] as const)));
  const way: string[] = [];
  for (let at = order.at(-1); at !== undefined; at = above.get(at)) way.push(at);
  return way;
}

/** A breadth-first spanning tree of the boxes: ids in visiting order, and the children of each. */
function spanningTree(
  root: string,
  adjacency: ReadonlyMap<string, Set<string>>,
  holder: ReadonlyMap<string, string>,
  seen: Set<string>,
  byOrder: (one: string, other: string) => number,
) {
  const order = [root];
  const children = new Map<string, string[]>();
  seen.add(root);
  for (const id of order) {
    const below = [...adjacency.get(id)!]
      .filter((other) => !holder.has(other) && !seen.has(other))
      .sort(byOrder);
    for (const child of below) seen.add(child);
    order.push(...below);
    children.set(id, below);
  }
  return { order, children };
}

/** A box with the tiles inside it. */
function boxBlock(id: string, inside: readonly string[], boxes: Map<string, Box>): Block {
  const grid = gridBlock(inside, id, boxes);
  const width = inside.length === 0 ? tileSize.width : Math.max(tileSize.width, grid.width) + 2 * gap;
  const height = tileSize.height + (inside.length === 0 ? 0 : grid.height + 2 * gap);
  return {
    width,
    height,
    put(x, y) {
      boxes.set(id, { x, y, width, height, container: null });
      return [[grid, x + gap, y + tileSize.height + gap]];
    },
  };
}

function gridBlock(ids: readonly string[], container: string | null, boxes: Map<string, Box>): Block {
  const [stepX, stepY] = [tileSize.width + gap, tileSize.height + gap];
  const columns = Math.max(1, Math.ceil(Math.sqrt((ids.length * stepY * targetAspectRatio) / stepX)));
  return {
    width: Math.min(columns, ids.length) * stepX - gap,
    height: Math.ceil(ids.length / columns) * stepY - gap,
    put(x, y) {
      for (const [index, id] of ids.entries())
        boxes.set(id, {
          x: x + (index % columns) * stepX,
          y: y + Math.floor(index / columns) * stepY,
          ...tileSize,
          container,
        });
      return [];
    },
  };
}

/** A box above its children's blocks. */
function blockOf(own: Block, children: readonly Block[]): Block {
  if (children.length === 0) return own;
  const below = arrangeInRows(children, boxSpacing);
  const width = Math.max(own.width, below.width);
  return {
    width,
    height: own.height + boxSpacing + below.height,
    put(x, y) {
      return [
        [own, Math.round(x + (width - own.width) / 2), y],
        [below, Math.round(x + (width - below.width) / 2), y + own.height + boxSpacing],
      ];
    },
  };
}

/**
 * Arranges blocks in rows. With a `trunk`, every row but the last leaves that width free in its middle for
 * links to the rows below.
 */
function arrangeInRows(blocks: readonly Block[], trunk: number): Block {
  const placed = bestRows(blocks).map((row, index, { length }) =>
    rowOf(row, trunk > 0 && index < length - 1),
  );
  const half = Math.max(0, ...placed.map(({ left, right }) => Math.max(left, right)));
  const width = trunk > 0 ? half * 2 : Math.max(0, ...placed.map(({ left, right }) => left + right));
  return {
    width,
    height:
      placed.reduce((sum, { height }) => sum + height + boxSpacing, 0) - (placed.length > 0 ? boxSpacing : 0),
    put(x, y) {
      let top = y;
      return placed.map((row) => {
        const at: Placed = [row, trunk > 0 ? Math.round(x + half - row.left) : x, top];
        top += row.height + boxSpacing;
        return at;
      });
    },
  };
}

/** Chooses a row length such that the rows fit the target ratio best. */
function bestRows(blocks: readonly Block[]): Block[][] {
  const widest = Math.max(0, ...blocks.map(({ width }) => width));
  const area = blocks.reduce(
    (sum, { width, height }) => sum + (width + boxSpacing) * (height + boxSpacing),
    0,
  );
  let best: Block[][] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const factor of [0.6, 0.8, 1, 1.25, 1.5, 1.8, 2.2]) {
    const made = breakIntoRows(blocks, Math.max(widest, Math.sqrt(area * targetAspectRatio) * factor));
    const sizes = made.map((row) => ({
      width: row.reduce((sum, { width }) => sum + width + boxSpacing, -boxSpacing),
      height: Math.max(...row.map(({ height }) => height)),
    }));
    const width = Math.max(0, ...sizes.map((size) => size.width));
    const height = sizes.reduce((sum, size) => sum + size.height + boxSpacing, 0);
    const need = Math.max(width / targetAspectRatio, height);
    if (need < least) [best, least] = [made, need];
  }
  return best;
}

function breakIntoRows(blocks: readonly Block[], max: number): Block[][] {
  const made: Block[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    if (used + block.width > max) {
      made.push([]);
      used = 0;
    }
    made.at(-1)!.push(block);
    used += block.width + boxSpacing;
  }
  return made;
}

interface BlockRow {
  /** Widths to the left and right of the trunk. */
  left: number;
  right: number;
  height: number;
  put(x: number, y: number): Placed[];
}

/** One row; if `parted`, the trunk runs between the two blocks where the row is best balanced. */
function rowOf(row: readonly Block[], parted: boolean): BlockRow {
  const whole = row.reduce((sum, { width }) => sum + width + boxSpacing, -boxSpacing);
  let left = whole / 2;
  if (parted) {
    const cuts = [-boxSpacing / 2];
    for (const { width } of row) cuts.push(cuts.at(-1)! + width + boxSpacing);
    left = cuts.reduce((best, cut) => (Math.abs(cut - whole / 2) < Math.abs(best - whole / 2) ? cut : best));
  }
  return {
    left,
    right: whole - left,
    height: Math.max(...row.map(({ height }) => height)),
    put(x, y) {
      let at = x;
      return row.map((block) => {
        const placed: Placed = [block, Math.round(at), y];
        at += block.width + boxSpacing;
        return placed;
      });
    },
  };
}
