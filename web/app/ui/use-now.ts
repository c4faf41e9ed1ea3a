// Current time for relative timestamps: null on the server, then the browser's clock, updated every 30
// seconds.
import { startTransition, useEffect, useState } from 'react';

const tickMs = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now: number | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!timer) {
    tick();
    timer = setInterval(tick, tickMs);
  } else listener();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const notify of listeners) notify();
}

/**
 * Returns epoch milliseconds, or null during server rendering and hydration. All callers are updated together
 * in a transition, which does not block input. An instant after the last update, as in data that has just been
 * loaded, is compared with the clock itself; otherwise what has just happened would seem to be in the future.
 */
export function useNow(instant: number): number | null {
  const [shown, setShown] = useState(now);
  useEffect(() => subscribe(() => startTransition(() => setShown(now))), []);
  return shown !== null && instant > shown ? Date.now() : shown;
}
