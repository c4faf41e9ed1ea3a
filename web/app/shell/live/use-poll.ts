// Polls the page's loaders while something changes that no change stream reports: a job, the state of a phone line.
import { useEffect } from 'react';
import { useReload } from './use-reload.ts';

/** Polling interval in milliseconds. */
const pollIntervalMs = 2_000;

/** Revalidates the loaders every two seconds while `active`; pauses while the tab is hidden. */
export function usePoll(active: boolean): void {
  const reload = useReload();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [active, reload]);
}
