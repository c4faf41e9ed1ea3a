// Keeps the keyboard's position when a control disappears as the result of its own use.
import { type RefObject, useLayoutEffect } from 'react';

/** When the control is removed while nothing else than its dialog has the focus, its panel gets it. */
export function useFocusAfterRemoval(control: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const panel = control.current?.closest('section');
    const focusPanel = () => {
      if (!panel?.isConnected || document.activeElement !== document.body) return;
      panel.tabIndex = -1;
      panel.focus();
    };
    return () => {
      const dialog = document.activeElement?.closest('dialog[open]');
      // The dialog may be removed as well.
      if (dialog) dialog.addEventListener('close', () => queueMicrotask(focusPanel), { once: true });
      else queueMicrotask(focusPanel);
    };
  }, [control]);
}
