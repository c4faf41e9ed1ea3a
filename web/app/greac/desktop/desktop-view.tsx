// The picture of a desktop, with keyboard and pointer.
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { SessionController } from '../connect/session-controller.ts';
import { DesktopClient, type DesktopSize } from './desktop-client.ts';
import { DesktopKeyboard } from './desktop-keyboard.ts';
import { InputOrder } from './input-order.ts';
import { pointerStyle } from './pointer-style.ts';

export interface DesktopHandle {
  focus(): void;
  /** Presses and releases keys by their names. */
  press(codes: readonly string[]): void;
  /** Gives the desktop a text and presses the keys that paste it. */
  paste(text: string): void;
}

interface DesktopViewProps {
  controller: SessionController;
  label: string;
  isConnected: boolean;
  hasControl: boolean;
  /** Size of the destination; null for the size of the window. */
  width: number | null;
  height: number | null;
  /** Gives the desktop the text of a paste; null if it keeps its own. */
  offer: ((text: string) => Promise<void>) | null;
  /** Gives the desktop text of an input method to paste; null if it is typed. */
  give: ((text: string) => Promise<boolean>) | null;
  /** Text of an input method was typed. */
  onTyped(text: string): void;
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
  const field = useRef<HTMLTextAreaElement>(null);
  const keyboard = useRef<DesktopKeyboard>(null);
  const client = useRef<DesktopClient>(null);
  const [pointer, setPointer] = useState('default');
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
      onPointer: (shape) => setPointer(pointerStyle(shape)),
      onFailed,
    });
    client.current = running;
    setPointer('default');
    const release = () => keyboard.current?.release();
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
    const order = new InputOrder();
    const enter = (action: (to: DesktopClient) => void) =>
      order.enter(() => {
        const to = active();
        if (to) action(to);
      });
    const keys = new DesktopKeyboard(field.current!, {
      order,
      soon(callback) {
        const timer = setTimeout(callback);
        return () => clearTimeout(timer);
      },
      target: active,
      offer: () => latest.current.offer,
      give: () => latest.current.give,
      onTyped: (text) => latest.current.onTyped(text),
      onEscape: () => latest.current.onEscape(),
    });
    keyboard.current = keys;
    const onPointer = (event: PointerEvent) => {
      const { x, y } = placeOn(canvas.current!, event);
      const { type, button } = event;
      enter((to) => {
        to.pointer(x, y);
        if (type !== 'pointermove') to.button(button, type === 'pointerdown');
      });
      if (type === 'pointermove') return;
      event.preventDefault();
      if (type !== 'pointerdown') return;
      field.current!.focus({ preventScroll: true });
      node.setPointerCapture(event.pointerId);
    };
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { deltaX, deltaY } = event;
      enter((to) => {
        to.wheel(true, deltaY);
        to.wheel(false, deltaX);
      });
    };
    const onFocus = () => field.current!.focus({ preventScroll: true });
    const onMenu = (event: Event) => event.preventDefault();
    const pointerEvents = ['pointermove', 'pointerdown', 'pointerup'] as const;
    for (const type of pointerEvents) node.addEventListener(type, onPointer);
    node.addEventListener('wheel', onWheel, { passive: false });
    node.addEventListener('focus', onFocus);
    node.addEventListener('contextmenu', onMenu);
    return () => {
      keys.dispose();
      for (const type of pointerEvents) node.removeEventListener(type, onPointer);
      node.removeEventListener('wheel', onWheel);
      node.removeEventListener('focus', onFocus);
      node.removeEventListener('contextmenu', onMenu);
    };
  }, []);

  useImperativeHandle(props.handle, () => ({
    focus: () => field.current?.focus(),
    press: (names) => keyboard.current?.press(names),
    paste: (text) => keyboard.current?.paste(text),
  }));

  return (
    <div ref={box} className="grid min-h-0 min-w-0 place-items-center overflow-hidden bg-black">
      <div
        ref={surface}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keyboard for the desktop
        tabIndex={0}
        role="application"
        aria-label={props.label}
        className="relative grid max-h-full max-w-full min-h-0 touch-none outline-none has-focus-visible:ring-2 has-focus-visible:ring-focus"
      >
        <textarea
          ref={field}
          tabIndex={-1}
          aria-label={props.label}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          className="pointer-events-none absolute inset-x-0 bottom-0 h-6 resize-none bg-transparent text-transparent caret-transparent opacity-0 outline-none"
        />
        <canvas
          ref={canvas}
          className="max-h-full max-w-full"
          // Who watches keeps a pointer of their own.
          style={{ cursor: props.hasControl ? pointer : 'default' }}
        />
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
