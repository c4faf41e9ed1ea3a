// Reloads page data when a watched resource changes; polls while the change stream is unavailable.
import { useMatches } from '@remix-run/react';
import { debounce } from '@yagura/core/live/debounce';
import { viewPollIntervalMs } from '@yagura/core/live/poll-interval';
import { useEffect, useRef } from 'react';
import { useReload } from './use-reload.ts';

/** Revalidates when a resource named in a loader's `watches` changes. Pauses while the tab is hidden. */
export function useLiveChanges(): void {
  const reload = useReload();
  const watched = useRef(new Set<string>());
  watched.current = new Set(useMatches().flatMap((match) => watchedResources(match.data)));

  useEffect(() => {
    let source: EventSource | null = null;
    let polling: ReturnType<typeof setInterval> | undefined;
    const refresh = () => {
      if (watched.current.size === 0) return;
      // Data that is being loaded may predate the change.
      if (!reload()) refreshSoon();
    };
    // Debounced, so that changes in quick succession cause one reload.
    const refreshSoon = debounce(refresh);
    const setPolling = (on: boolean) => {
      clearInterval(polling);
      polling = on ? setInterval(refresh, viewPollIntervalMs) : undefined;
    };
    const stop = () => {
      source?.close();
      source = null;
      setPolling(false);
      refreshSoon.cancel();
    };
    const start = () => {
      stop();
      source = new EventSource('/changes');
      source.addEventListener('open', () => {
        setPolling(false);
        // Changes between rendering, or the loss of the stream, and now were not reported.
        refreshSoon();
      });
      source.addEventListener('error', () => {
        setPolling(true);
        // The browser does not retry a rejected stream; it is reopened when the tab becomes visible again.
        if (source?.readyState === EventSource.CLOSED) source = null;
      });
      source.addEventListener('change', (event) => {
        if (watched.current.has(changedResource(event.data))) refreshSoon();
      });
    };
    const onVisibilityChange = () => {
      if (document.hidden) return stop();
      start();
      refreshSoon();
    };
    if (!document.hidden) start();
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange);
      stop();
    };
  }, [reload]);
}

function watchedResources(data: unknown): string[] {
  const { watches } = (data ?? {}) as { watches?: unknown };
  return Array.isArray(watches) ? watches : [];
}

function changedResource(text: string): string {
  try {
    return String(JSON.parse(text).resource);
  } catch {
    return '';
  }
}
