// Diagram canvas: nodes can be selected, moved by pointer or keyboard, and opened; the view can be panned and
// zoomed.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import {
  type DiagramEdge,
  type DiagramNode,
  directions,
  nextNode,
  type Point,
  type ViewBox,
} from './diagram-layout.ts';
import { EdgeLines } from './edge-lines.tsx';
import { NodeTile } from './node-tile.tsx';
import type { Viewport } from './use-viewport.ts';

/** Distance that one press of Shift and an arrow key moves a node. */
export const keyboardStep = 16;
/** Maximum pointer movement of a click, in pixels. */
const dragThreshold = 4;
/** Zoom level in pixels per unit below which text is unreadable and not drawn. */
const minReadableScale = 0.42;
/** Diagrams with more nodes have no icons where text is unreadable. */
const maxFarIcons = 300;
/** Units that a large screen shows at that level: what a page draws before it knows its size. */
const maxReadableWidth = 4000;

type Drag = { x: number; y: number; node: DiagramNode | null; from: Point; far: boolean };

export function DiagramCanvas(props: {
  svg: RefObject<SVGSVGElement | null>;
  viewport: Viewport;
  nodes: readonly DiagramNode[];
  byId: ReadonlyMap<string, DiagramNode>;
  edges: readonly DiagramEdge[];
  selected: string | null;
  /** Ids of the search hits; null without a search. */
  found: ReadonlySet<string> | null;
  mayMove: boolean;
  name: string;
  /** Id of the text that names the keys. */
  helpId?: string;
  onSelect: (id: string | null) => void;
  onOpen: (node: DiagramNode) => void;
  /** `done` is true for the final position. */
  onMove: (id: string, to: Point, done: boolean) => void;
}) {
  const { svg, viewport, nodes, byId, selected, found, mayMove } = props;
  const dragRef = useRef<Drag | null>(null);
  const [focusableId, setFocusableId] = useState<string | null>(null);
  const { view, scale } = viewport;
  const far = nodes.length > maxFarIcons ? 'shape' : 'far';
  const isReadable = scale === null ? view.width <= maxReadableWidth : scale >= minReadableScale;
  const reachable = (focusableId && byId.has(focusableId) ? focusableId : selected) ?? nodes[0]?.id;

  function begin(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0) return;
    const node = nodeAt(event, byId);
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = node ? { x: node.x, y: node.y } : { x: 0, y: 0 };
    dragRef.current = { x: event.clientX, y: event.clientY, node, from, far: false };
  }

  function move(event: PointerEvent<SVGSVGElement>) {
    const drag = dragRef.current;
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.far && Math.abs(x) + Math.abs(y) < dragThreshold) return;
    drag.far = true;
    if (drag.node && mayMove) {
      props.onMove(drag.node.id, draggedPosition(drag, x, y, scale), false);
      return;
    }
    viewport.pan(x, y);
    [drag.x, drag.y] = [event.clientX, event.clientY];
  }

  function end(event: PointerEvent<SVGSVGElement>) {
    const drag = dragRef.current;
    dragRef.current = null;
    if (!drag) return;
    if (!drag.far) {
      props.onSelect(drag.node?.id ?? null);
      if (drag.node) setFocusableId(drag.node.id);
      return;
    }
    if (drag.node && mayMove)
      props.onMove(
        drag.node.id,
        draggedPosition(drag, event.clientX - drag.x, event.clientY - drag.y, scale),
        true,
      );
  }

  function onKey(event: KeyboardEvent<SVGSVGElement>) {
    const node = nodeAt(event, byId);
    if (event.key === '+' || event.key === '-') viewport.zoom(event.key === '+' ? 1.25 : 0.8);
    if (!node) return;
    if (event.key === 'Enter') props.onOpen(node);
    if (event.key === ' ') props.onSelect(node.id === selected ? null : node.id);
    if (event.key === 'Escape') props.onSelect(null);
    const by = directions[event.key];
    if (by && event.shiftKey && mayMove)
      props.onMove(node.id, { x: node.x + by[0] * keyboardStep, y: node.y + by[1] * keyboardStep }, true);
    if (by && !event.shiftKey) {
      const next = nextNode(nodes, node, event.key);
      if (next) {
        setFocusableId(next.id);
        viewport.reveal(next);
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
      aria-describedby={props.helpId}
      viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
      preserveAspectRatio="xMidYMid meet"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => {
        dragRef.current = null;
      }}
      onDoubleClick={(event) => {
        const node = nodeAt(event, byId);
        if (node) props.onOpen(node);
      }}
      onKeyDown={onKey}
      className={classNames(
        'block h-full w-full cursor-move select-none',
        viewport.isWhole ? 'touch-pan-y' : 'touch-none',
      )}
    >
      <EdgeLines edges={props.edges} byId={byId} selected={selected} isLabeled={isReadable} />
      {nodes.map((node) => (
        <NodeTile
          key={node.id}
          node={node}
          selected={node.id === selected}
          found={found ? (found.has(node.id) ? 'found' : 'passed') : null}
          reachable={node.id === reachable}
          movable={mayMove}
          detail={isReadable && isNearView(node, view) ? 'full' : far}
        />
      ))}
    </svg>
  );
}

/** Focuses the node in the tab order without scrolling the page. */
export function focusDiagram(svg: SVGSVGElement | null): void {
  svg?.querySelector<SVGGElement>('[data-node][tabindex="0"]')?.focus({ preventScroll: true });
}

/** Focuses a node without scrolling the page. */
export function focusNode(svg: SVGSVGElement | null, id: string): void {
  svg?.querySelector<SVGGElement>(`[data-node="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

/** Whether the node is in the view or no farther from it than its size: a screen may show more than the view's rectangle. */
function isNearView({ x, y, width, height }: DiagramNode, view: ViewBox): boolean {
  return (
    x + width >= view.x - view.width &&
    x <= view.x + 2 * view.width &&
    y + height >= view.y - view.height &&
    y <= view.y + 2 * view.height
  );
}

function draggedPosition({ from }: Drag, x: number, y: number, scale: number | null): Point {
  const by = scale ?? 1;
  return { x: Math.round(from.x + x / by), y: Math.round(from.y + y / by) };
}

function nodeAt(event: { target: EventTarget }, byId: ReadonlyMap<string, DiagramNode>): DiagramNode | null {
  const id = (event.target as Element).closest<SVGGElement>('[data-node]')?.dataset.node;
  return (id !== undefined && byId.get(id)) || null;
}
