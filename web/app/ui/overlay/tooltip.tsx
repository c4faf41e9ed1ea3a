// Tooltip on hover or focus after 500 ms; none on iPad and iPhone, which have no hover.
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { positionNear } from './position-near.ts';

const openDelayMs = 500;

/** iPads identify as Macs, but only iPads have touch points. */
function isAppleTouch(): boolean {
  return (
    /iPad|iPhone/.test(navigator.userAgent) ||
    (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    if (open) positionNear(box.current!, anchor.current!);
  }, [open]);
  const show = () => {
    clearTimeout(timer.current);
    if (!isAppleTouch()) timer.current = setTimeout(() => setOpen(true), openDelayMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches what its children are
    <span
      ref={anchor}
      className={open ? 'relative z-100 inline-flex' : 'relative z-1 inline-flex'}
      aria-describedby={open ? id : undefined}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {open && (
        <span
          ref={box}
          role="tooltip"
          id={id}
          className="pointer-events-none fixed z-100 w-max max-w-[360px] rounded-md border border-line bg-surface-raised px-2 py-1 text-xs shadow-float"
        >
          {text}
        </span>
      )}
    </span>
  );
}
