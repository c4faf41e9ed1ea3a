// Looks again while something is under way.
import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/** Milliseconds between two looks. */
const pollIntervalMs = 2_000;

/** Loads the screen anew every two seconds while `active`; rests while the tab is hidden. */
export function usePoll(active: boolean): void {
  const revalidator = useRevalidator();
  const now = useRef(revalidator);
  now.current = revalidator;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (now.current.state === 'idle' && !document.hidden) now.current.revalidate();
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [active]);
}
