// Keeps the keyboard's position when a control disappears as the result of its own use.
import { type RefObject, useLayoutEffect } from 'react';

/** When the control is removed while nothing else has the focus, its panel gets it. */
export function useFocusAfterRemoval(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const panel = control.current?.closest('section');
    return () => {
      queueMicrotask(() => {
        if (!panel?.isConnected || document.activeElement !== document.body) return;
        panel.tabIndex = -1;
        panel.focus();
      });
    };
  }, [control]);
}
