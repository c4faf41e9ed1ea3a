// The drawing of a diagram: things are chosen, moved by hand or keys, and opened; the view is moved and brought nearer.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { type DiagramEdge, type DiagramNode, directions, nextNode, type Point } from './drawing.ts';
import { NodeTile } from './thing-tile.tsx';
import type { ViewControl } from './use-view.ts';
import { EdgeLines } from './way-lines.tsx';

/** One press of Shift and an arrow key moves a thing so far. */
export const stride = 16;
/** Pixels that a pointer may slip in a click. */
const slip = 4;
/** Below so many pixels for a unit, text is too small to be read and left out. */
const readable = 0.42;

type Grip = { x: number; y: number; node: DiagramNode | null; from: Point; far: boolean };

export function DiagramCanvas(props: {
  svg: RefObject<SVGSVGElement | null>;
  control: ViewControl;
  nodes: readonly DiagramNode[];
  byId: ReadonlyMap<string, DiagramNode>;
  edges: readonly DiagramEdge[];
  chosen: string | null;
  /** Null when nothing is searched. */
  found: ReadonlySet<string> | null;
  mayMove: boolean;
  name: string;
  onChoose: (id: string | null) => void;
  onOpen: (node: DiagramNode) => void;
  /** `done` once the thing is where it shall stay. */
  onMove: (id: string, to: Point, done: boolean) => void;
}) {
  const { svg, control, nodes, byId, chosen, found, mayMove } = props;
  const grip = useRef<Grip | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const { view, scale } = control;
  const reachable = (reached && byId.has(reached) ? reached : chosen) ?? nodes[0]?.id;

  function begin(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0) return;
    const node = thingAt(event, byId);
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = node ? { x: node.x, y: node.y } : { x: 0, y: 0 };
    grip.current = { x: event.clientX, y: event.clientY, node, from, far: false };
  }

  function move(event: PointerEvent<SVGSVGElement>) {
    const held = grip.current;
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far && Math.abs(x) + Math.abs(y) < slip) return;
    held.far = true;
    if (held.node && mayMove) {
      props.onMove(held.node.id, placeOf(held, x, y, scale), false);
      return;
    }
    control.pan(x, y);
    [held.x, held.y] = [event.clientX, event.clientY];
  }

  function end(event: PointerEvent<SVGSVGElement>) {
    const held = grip.current;
    grip.current = null;
    if (!held) return;
    if (!held.far) {
      props.onChoose(held.node?.id ?? null);
      if (held.node) setReached(held.node.id);
      return;
    }
    if (held.node && mayMove)
      props.onMove(held.node.id, placeOf(held, event.clientX - held.x, event.clientY - held.y, scale), true);
  }

  function onKey(event: KeyboardEvent<SVGSVGElement>) {
    const thing = thingAt(event, byId);
    if (event.key === '+' || event.key === '-') control.zoom(event.key === '+' ? 1.25 : 0.8);
    if (!thing) return;
    if (event.key === 'Enter') props.onOpen(thing);
    if (event.key === ' ') props.onChoose(thing.id === chosen ? null : thing.id);
    if (event.key === 'Escape') props.onChoose(null);
    const by = directions[event.key];
    if (by && event.shiftKey && mayMove)
      props.onMove(thing.id, { x: thing.x + by[0] * stride, y: thing.y + by[1] * stride }, true);
    if (by && !event.shiftKey) {
      const next = nextNode(nodes, thing, event.key);
      if (next) {
        setReached(next.id);
        control.reveal(next);
        focusNode(svg.current, next.id);
      }
    }
    if (by || event.key === ' ' || event.key === 'Enter') event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing has no field set
    <svg
      ref={svg}
      role="group"
      aria-label={props.name}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid meet"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => {
        grip.current = null;
      }}
      onDoubleClick={(event) => {
        const thing = thingAt(event, byId);
        if (thing) props.onOpen(thing);
      }}
      onKeyDown={onKey}
      className={classes(
        'block h-full w-full cursor-move select-none',
        control.isWhole ? 'touch-pan-y' : 'touch-none',
        scale !== null && scale < readable && '[&_.diagram-far]:block [&_.diagram-text]:hidden',
      )}
    >
      <EdgeLines edges={props.edges} byId={byId} chosen={chosen} />
      {nodes.map((node) => (
        <NodeTile
          key={node.id}
          node={node}
          chosen={node.id === chosen}
          found={found ? (found.has(node.id) ? 'found' : 'passed') : null}
          reachable={node.id === reachable}
          movable={mayMove}
        />
      ))}
    </svg>
  );
}

/** Gives the keyboard focus to a thing without scrolling the page. */
export function focusNode(svg: SVGSVGElement | null, id: string): void {
  svg?.querySelector<SVGGElement>(`[data-thing="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

function placeOf({ from }: Grip, x: number, y: number, scale: number | null): Point {
  const by = scale ?? 1;
  return { x: Math.round(from.x + x / by), y: Math.round(from.y + y / by) };
}

function thingAt(event: { target: EventTarget }, byId: ReadonlyMap<string, DiagramNode>): DiagramNode | null {
  const id = (event.target as Element).closest<SVGGElement>('[data-thing]')?.dataset.thing;
  return (id !== undefined && byId.get(id)) || null;
}
