import { type RefObject, useEffect, useRef } from 'react';

/** Ref for a `details` that closes on Escape, which focuses its summary, and on a press outside. */
export function useDismissibleDetails(): RefObject<HTMLDetailsElement | null> {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const node = box.current;
      if (!node?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        node.querySelector('summary')?.focus();
      } else if (node.contains(event.target as Node)) return;
      node.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return box;
}
