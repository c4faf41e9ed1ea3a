// The drawing of a diagram: things are chosen, moved by hand or keys, and opened; the view is moved and brought nearer.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { directions, nextThing, type Place, type Thing, type Way } from './drawing.ts';
import { ThingTile } from './thing-tile.tsx';
import type { ViewControl } from './use-view.ts';
import { WayLines } from './way-lines.tsx';

/** One press of Shift and an arrow key moves a thing so far. */
export const stride = 16;
/** Pixels that a pointer may slip in a click. */
const slip = 4;
/** Below so many pixels for a unit, text is too small to be read and left out. */
const readable = 0.42;

type Grip = { x: number; y: number; thing: Thing | null; from: Place; far: boolean };

export function DiagramCanvas(props: {
  svg: RefObject<SVGSVGElement | null>;
  control: ViewControl;
  things: readonly Thing[];
  byId: ReadonlyMap<string, Thing>;
  ways: readonly Way[];
  chosen: string | null;
  /** Null when nothing is searched. */
  found: ReadonlySet<string> | null;
  mayMove: boolean;
  name: string;
  onChoose: (id: string | null) => void;
  onOpen: (thing: Thing) => void;
  /** `done` once the thing is where it shall stay. */
  onMove: (id: string, to: Place, done: boolean) => void;
}) {
  const { svg, control, things, byId, chosen, found, mayMove } = props;
  const grip = useRef<Grip | null>(null);
  const [reached, setReached] = useState<string | null>(null);
  const { view, scale } = control;
  const reachable = (reached && byId.has(reached) ? reached : chosen) ?? things[0]?.id;

  function begin(event: PointerEvent<SVGSVGElement>) {
    if (event.button !== 0) return;
    const thing = thingAt(event, byId);
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = thing ? { x: thing.x, y: thing.y } : { x: 0, y: 0 };
    grip.current = { x: event.clientX, y: event.clientY, thing, from, far: false };
  }

  function move(event: PointerEvent<SVGSVGElement>) {
    const held = grip.current;
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far && Math.abs(x) + Math.abs(y) < slip) return;
    held.far = true;
    if (held.thing && mayMove) {
      props.onMove(held.thing.id, placeOf(held, x, y, scale), false);
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
      props.onChoose(held.thing?.id ?? null);
      if (held.thing) setReached(held.thing.id);
      return;
    }
    if (held.thing && mayMove)
      props.onMove(held.thing.id, placeOf(held, event.clientX - held.x, event.clientY - held.y, scale), true);
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
      const next = nextThing(things, thing, event.key);
      if (next) {
        setReached(next.id);
        control.reveal(next);
        focusThing(svg.current, next.id);
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
      <WayLines ways={props.ways} byId={byId} chosen={chosen} />
      {things.map((thing) => (
        <ThingTile
          key={thing.id}
          thing={thing}
          chosen={thing.id === chosen}
          found={found ? (found.has(thing.id) ? 'found' : 'passed') : null}
          reachable={thing.id === reachable}
          movable={mayMove}
        />
      ))}
    </svg>
  );
}

/** Gives the keyboard focus to a thing without scrolling the page. */
export function focusThing(svg: SVGSVGElement | null, id: string): void {
  svg?.querySelector<SVGGElement>(`[data-thing="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

function placeOf({ from }: Grip, x: number, y: number, scale: number | null): Place {
  const by = scale ?? 1;
  return { x: Math.round(from.x + x / by), y: Math.round(from.y + y / by) };
}

function thingAt(event: { target: EventTarget }, byId: ReadonlyMap<string, Thing>): Thing | null {
  const id = (event.target as Element).closest<SVGGElement>('[data-thing]')?.dataset.thing;
  return (id !== undefined && byId.get(id)) || null;
}
