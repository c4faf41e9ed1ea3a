// The picture of a desktop, with keyboard and pointer.
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { SessionController } from '../connect/session-controller.ts';
import { DesktopClient, type DesktopSize } from './desktop-client.ts';
import { scanCodeOf } from './scan-codes.ts';

export interface DesktopHandle {
  focus(): void;
  /** Presses and releases keys by their names. */
  press(codes: readonly string[]): void;
}

interface DesktopViewProps {
  controller: SessionController;
  label: string;
  isConnected: boolean;
  hasControl: boolean;
  /** Size of the destination; null for the size of the window. */
  width: number | null;
  height: number | null;
  onShown(): void;
  onFailed(error: unknown): void;
  /** The user leaves the desktop by keyboard. */
  onEscape(): void;
  handle: RefObject<DesktopHandle | null>;
}

export function DesktopView(props: DesktopViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const client = useRef<DesktopClient>(null);
  const latest = useRef(props);
  latest.current = props;
  const { controller, isConnected } = props;

  useEffect(() => {
    controller.start({
      write(bytes, onParsed) {
        client.current?.receive(bytes);
        // The client works through what it got before the next task.
        setTimeout(onParsed);
      },
      clear: () => undefined,
      resize: () => undefined,
    });
  }, [controller]);

  useEffect(() => {
    if (!isConnected) return;
    const { width, height, onShown, onFailed } = latest.current;
    const running = new DesktopClient({
      canvas: canvas.current!,
      size: sizeFor(box.current!, width, height),
      onSent: (bytes) => controller.send(bytes),
      onConnected: onShown,
      onFailed,
    });
    client.current = running;
    const release = () => running.releaseAll();
    window.addEventListener('blur', release);
    return () => {
      window.removeEventListener('blur', release);
      client.current = null;
      running.close();
    };
  }, [controller, isConnected]);

  useEffect(() => {
    const node = surface.current!;
    const active = () => (latest.current.hasControl ? client.current : null);
    const onKey = (event: KeyboardEvent) => {
      if (event.code === 'F6' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        client.current?.releaseAll();
        if (event.type === 'keydown') latest.current.onEscape();
        return;
      }
      const code = scanCodeOf(event.code);
      if (code === null || event.isComposing) return;
      event.preventDefault();
      active()?.keys([code], event.type === 'keydown');
    };
    const onPointer = (event: PointerEvent) => {
      const { x, y } = placeOn(canvas.current!, event);
      active()?.pointer(x, y);
      if (event.type === 'pointermove') return;
      event.preventDefault();
      if (event.type === 'pointerdown') {
        node.focus();
        node.setPointerCapture(event.pointerId);
      }
      active()?.button(event.button, event.type === 'pointerdown');
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      active()?.wheel(true, event.deltaY);
      active()?.wheel(false, event.deltaX);
    };
    const onBlur = () => client.current?.releaseAll();
    const onMenu = (event: Event) => event.preventDefault();
    const keyEvents = ['keydown', 'keyup'] as const;
    const pointerEvents = ['pointermove', 'pointerdown', 'pointerup'] as const;
    for (const type of keyEvents) node.addEventListener(type, onKey);
    for (const type of pointerEvents) node.addEventListener(type, onPointer);
    node.addEventListener('wheel', onWheel, { passive: false });
    node.addEventListener('blur', onBlur);
    node.addEventListener('contextmenu', onMenu);
    return () => {
      for (const type of keyEvents) node.removeEventListener(type, onKey);
      for (const type of pointerEvents) node.removeEventListener(type, onPointer);
      node.removeEventListener('wheel', onWheel);
      node.removeEventListener('blur', onBlur);
      node.removeEventListener('contextmenu', onMenu);
    };
  }, []);

  useImperativeHandle(props.handle, () => ({
    focus: () => surface.current?.focus(),
    press(names) {
      const codes = names.flatMap((name) => scanCodeOf(name) ?? []);
      if (!latest.current.hasControl) return;
      client.current?.keys(codes, true);
      client.current?.keys([...codes].reverse(), false);
    },
  }));

  return (
    <div ref={box} className="grid min-h-0 min-w-0 place-items-center overflow-hidden bg-black">
      <div
        ref={surface}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keyboard for the desktop
        tabIndex={0}
        role="application"
        aria-label={props.label}
        className="grid max-h-full max-w-full min-h-0 touch-none outline-none focus-visible:ring-2 focus-visible:ring-focus"
      >
        <canvas ref={canvas} className="max-h-full max-w-full" />
      </div>
    </div>
  );
}

/** Sizes that hosts accept. */
const limits = { min: 320, max: 8192 };

function sizeFor(box: HTMLElement, width: number | null, height: number | null): DesktopSize {
  const fit = (length: number) => Math.min(Math.max(Math.floor(length), limits.min), limits.max);
  // Hosts pad pictures to a multiple of four, which not all of them draw right.
  return { width: width ?? fit(box.clientWidth) & ~3, height: height ?? fit(box.clientHeight) };
}

/** The point of the desktop under the pointer; the picture may be shown smaller than it is. */
function placeOn(canvas: HTMLCanvasElement, { clientX, clientY }: PointerEvent): { x: number; y: number } {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const clamp = (value: number, length: number) => Math.min(Math.max(Math.round(value), 0), length - 1);
  return {
    x: clamp(((clientX - left) * canvas.width) / width, canvas.width),
    y: clamp(((clientY - top) * canvas.height) / height, canvas.height),
  };
}
