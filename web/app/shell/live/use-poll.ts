// Polls the page's loaders while something changes that no change stream reports: a job, the state of a phone line.
import { useRevalidator } from '@remix-run/react';
import { useEffect, useRef } from 'react';

/** Polling interval in milliseconds. */
const pollIntervalMs = 2_000;

/** Revalidates the loaders every two seconds while `active`; pauses while the tab is hidden. */
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
