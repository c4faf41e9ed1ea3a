// Tells whether someone is about to press or read something in a part of the page.
import { type RefObject, useEffect, useState } from 'react';

/** Milliseconds without a sign of the mouse or the keyboard after which nobody is assumed to be there. */
export const idleAfterMs = 60_000;
/** The same for touch, which shows no sign between two presses. */
export const idleAfterTouchMs = 5_000;

/**
 * Whether the mouse is over the part or the focus in it and one of them was used within a minute, or it was touched or
 * scrolled within some seconds. False while the page is hidden.
 */
export function useInUse(part: RefObject<HTMLElement | null>): boolean {
  const [isInUse, setIsInUse] = useState(false);

  useEffect(() => {
    const node = part.current;
    if (!node) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isTouch = false;
    const end = () => {
      clearTimeout(timer);
      timer = undefined;
      setIsInUse(false);
    };
    const use = () => {
      clearTimeout(timer);
      timer = setTimeout(end, isTouch ? idleAfterTouchMs : idleAfterMs);
      setIsInUse(true);
    };
    const onPointer = ({ pointerType }: PointerEvent) => {
      isTouch = pointerType === 'touch';
      use();
    };
    const onPointerLeave = ({ pointerType }: PointerEvent) => {
      // A finger leaves when it is lifted, and may press again.
      if (pointerType !== 'touch' && !node.contains(document.activeElement)) end();
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && node.contains(relatedTarget)) && !node.matches(':hover')) end();
    };
    // Also the scrolling of the page, which goes on after the finger is lifted.
    const onScroll = () => {
      if (timer !== undefined) use();
    };
    const onVisibilityChange = () => {
      if (document.hidden) end();
    };
    // Not `pointerenter`: browsers report it for a mouse at rest when the page changes under it.
    node.addEventListener('pointermove', onPointer, { passive: true });
    node.addEventListener('pointerdown', onPointer, { passive: true });
    node.addEventListener('pointerleave', onPointerLeave);
    node.addEventListener('focusin', use);
    node.addEventListener('focusout', onFocusOut);
    node.addEventListener('keydown', use);
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      clearTimeout(timer);
      node.removeEventListener('pointermove', onPointer);
      node.removeEventListener('pointerdown', onPointer);
      node.removeEventListener('pointerleave', onPointerLeave);
      node.removeEventListener('focusin', use);
      node.removeEventListener('focusout', onFocusOut);
      node.removeEventListener('keydown', use);
      window.removeEventListener('scroll', onScroll, { capture: true });
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, [part]);

  return isInUse;
}
