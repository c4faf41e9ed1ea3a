// Keeps what is on screen current: changes of watched resources load it anew; without the stream it is polled.
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import { debounce } from '@yagura/core/live/debounce';
import { pollingInterval } from '@yagura/core/live/polling-interval';
import { useEffect, useRef } from 'react';

/** Revalidates when a resource named in a loader's `watches` changes. Rests while the tab is hidden. */
export function useLiveChanges(): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const watched = new Set(useMatches().flatMap((match) => watchesOf(match.data)));
  const busy = state === 'loading' || navigation.state !== 'idle';
  const now = useRef({ revalidate, busy, watched });
  now.current = { revalidate, busy, watched };

  useEffect(() => {
    let source: EventSource | null = null;
    let polling: ReturnType<typeof setInterval> | undefined;
    const refresh = () => {
      if (now.current.watched.size === 0) return;
      // What is being loaded may be older than the change; breaking it off would keep a person waiting.
      if (now.current.busy) return soon();
      now.current.revalidate();
    };
    // Changes that come close together are one.
    const soon = debounce(refresh);
    const poll = (on: boolean) => {
      clearInterval(polling);
      polling = on ? setInterval(refresh, pollingInterval) : undefined;
    };
    const stop = () => {
      source?.close();
      source = null;
      poll(false);
      soon.cancel();
    };
    const start = () => {
      stop();
      source = new EventSource('/changes');
      source.addEventListener('open', () => {
        poll(false);
        // What changed between the rendering of the page, or the break of the stream, and now was not told.
        soon();
      });
      source.addEventListener('error', () => {
        poll(true);
        // A refused stream is not tried again by the browser itself; the next visit to the tab is.
        if (source?.readyState === EventSource.CLOSED) source = null;
      });
      source.addEventListener('change', (event) => {
        if (now.current.watched.has(resourceOf(event.data))) soon();
      });
    };
    const turn = () => {
      if (document.hidden) return stop();
      start();
      soon();
    };
    if (!document.hidden) start();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      stop();
    };
  }, []);
}

function watchesOf(data: unknown): string[] {
  const { watches } = (data ?? {}) as { watches?: unknown };
  return Array.isArray(watches) ? watches : [];
}

function resourceOf(text: string): string {
  try {
    return String(JSON.parse(text).resource);
  } catch {
    return '';
  }
}
