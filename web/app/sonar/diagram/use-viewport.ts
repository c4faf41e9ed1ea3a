// Visible part of a diagram: zoom by wheel, keys and buttons, pan by dragging.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { boundingView, type DiagramNode, type Point, type ViewBox, zoomView } from './diagram-layout.ts';

export interface Viewport {
  view: ViewBox;
  /** Pixels per diagram unit; null before it is measured. */
  scale: number | null;
  isWhole: boolean;
  fit(): void;
  zoom(factor: number, at?: Point): void;
  /** Pans by pixels. */
  pan(x: number, y: number): void;
  /** Brings a node into view if it is outside. */
  reveal(node: DiagramNode): void;
  /** Converts window coordinates to diagram coordinates. */
  pointAt(clientX: number, clientY: number): Point;
}

export function useViewport(svg: RefObject<SVGSVGElement | null>, nodes: readonly DiagramNode[]): Viewport {
  // Nodes that change later do not move the view.
  const [whole, setWhole] = useState(() => boundingView(nodes));
  const [chosen, setChosen] = useState<ViewBox | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const view = chosen ?? whole;
  const scale = size ? Math.min(size.width / view.width, size.height / view.height) : null;
  const now = useRef({ view, whole, scale, nodes, size });
  now.current = { view, whole, scale, nodes, size };

  useEffect(() => {
    const node = svg.current!;
    const observer = new ResizeObserver(() =>
      setSize({ width: node.clientWidth, height: node.clientHeight }),
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [svg]);

  const pointAt = useCallback(
    (clientX: number, clientY: number): Point => {
      const { view: seen, size: room, scale: by } = now.current;
      const rect = svg.current!.getBoundingClientRect();
      if (!room || !by) return { x: seen.x, y: seen.y };
      // The view is centered in the viewport.
      const left = rect.left + (room.width - seen.width * by) / 2;
      const top = rect.top + (room.height - seen.height * by) / 2;
      return { x: seen.x + (clientX - left) / by, y: seen.y + (clientY - top) / by };
    },
    [svg],
  );
  const zoom = useCallback((factor: number, at?: Point) => {
    const { view: seen, whole: all } = now.current;
    setChosen(zoomView(seen, factor, at ?? { x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 }, all));
  }, []);
  const fit = useCallback(() => {
    setWhole(boundingView(now.current.nodes));
    setChosen(null);
  }, []);
  const pan = useCallback((x: number, y: number) => {
    const { scale: by } = now.current;
    if (by) setChosen((seen) => panView(seen ?? now.current.view, -x / by, -y / by));
  }, []);
  const reveal = useCallback((node: DiagramNode) => {
    const { view: seen, scale: by, size: room } = now.current;
    if (!by || !room) return;
    const [width, height] = [room.width / by, room.height / by];
    const left = seen.x + (seen.width - width) / 2;
    const top = seen.y + (seen.height - height) / 2;
    const inside =
      node.x >= left &&
      node.y >= top &&
      node.x + Math.min(node.width, width) <= left + width &&
      node.y + 52 <= top + height;
    if (inside && by > 0.6) return;
    // Zoom in to a readable size, with the node centered.
    const near = Math.max(by, 0.8);
    const next = { width: room.width / near, height: room.height / near };
    setChosen({ x: node.x + node.width / 2 - next.width / 2, y: node.y + 26 - next.height / 2, ...next });
  }, []);

  useEffect(() => {
    const node = svg.current!;
    // The wheel without a modifier scrolls the page.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), pointAt(event.clientX, event.clientY));
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    window.addEventListener('beforeprint', fit);
    return () => {
      node.removeEventListener('wheel', onWheel);
      window.removeEventListener('beforeprint', fit);
    };
  }, [svg, zoom, pointAt, fit]);

  return { view, scale, isWhole: chosen === null, fit, zoom, pan, reveal, pointAt };
}

function panView(view: ViewBox, x: number, y: number): ViewBox {
  return { ...view, x: view.x + x, y: view.y + y };
}
