// Keeps what is on screen current: changes of watched resources load it anew; without the stream it is polled.
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import { debounce } from '@yagura/core/live/debounce';
import { viewPollIntervalMs } from '@yagura/core/live/poll-interval';
import { useEffect, useRef } from 'react';

/** Revalidates when a resource named in a loader's `watches` changes. Rests while the tab is hidden. */
export function useLiveChanges(): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const watched = new Set(useMatches().flatMap((match) => watchedResources(match.data)));
  const busy = state === 'loading' || navigation.state !== 'idle';
  const now = useRef({ revalidate, busy, watched });
  now.current = { revalidate, busy, watched };

  useEffect(() => {
    let source: EventSource | null = null;
    let polling: ReturnType<typeof setInterval> | undefined;
    const refresh = () => {
      if (now.current.watched.size === 0) return;
      // What is being loaded may be older than the change; breaking it off would keep a person waiting.
      if (now.current.busy) return refreshSoon();
      now.current.revalidate();
    };
    // Changes that come close together are one.
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
        // What changed between the rendering of the page, or the break of the stream, and now was not told.
        refreshSoon();
      });
      source.addEventListener('error', () => {
        setPolling(true);
        // A refused stream is not tried again by the browser itself; the next visit to the tab is.
        if (source?.readyState === EventSource.CLOSED) source = null;
      });
      source.addEventListener('change', (event) => {
        if (now.current.watched.has(changedResource(event.data))) refreshSoon();
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
  }, []);
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
