// Registers the service worker and detects newer versions of the console on the server.
import { useEffect, useState } from 'react';

/** Interval of version checks on an open page, in milliseconds. */
const checkIntervalMs = 3_600_000;

/** Returns null until a newer version is waiting, then a function that activates it and reloads the page. */
export function useNewerVersion(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    const workers = navigator.serviceWorker;
    if (!workers) return;
    let registration: ServiceWorkerRegistration | undefined;
    // The development server has no service worker.
    if (import.meta.env.DEV && import.meta.env.MODE !== 'test') return;
    const listening = new AbortController();
    const seen = (worker: ServiceWorker | null) => {
      // Without a controller this is the first visit, so the page is current.
      if (worker?.state === 'installed' && workers.controller) setWaiting(worker);
    };
    const found = () => {
      const worker = registration?.installing;
      worker?.addEventListener('statechange', () => seen(worker));
    };
    const checkForUpdate = () => {
      // An unreachable server is reported elsewhere.
      if (!document.hidden) registration?.update().catch(() => {});
    };
    workers
      .register('/service-worker.js')
      .then((registered) => {
        if (listening.signal.aborted) return;
        registration = registered;
        seen(registered.waiting);
        registered.addEventListener('updatefound', found, listening);
      })
      // The console works without a service worker, e.g. if the browser forbids it.
      .catch(() => {});
    const timer = setInterval(checkForUpdate, checkIntervalMs);
    document.addEventListener('visibilitychange', checkForUpdate, listening);
    return () => {
      listening.abort();
      clearInterval(timer);
    };
  }, []);

  if (!waiting) return null;
  return () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take-over');
  };
}
