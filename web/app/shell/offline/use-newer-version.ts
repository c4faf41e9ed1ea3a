// Registers the service worker and tells when the server has a newer version of the console.
import { useEffect, useState } from 'react';

/** How often a page that stays open asks for a newer version, in milliseconds. */
const checkIntervalMs = 3_600_000;

/** Null until a newer version waits; then what lets it take over and loads the page anew. */
export function useNewerVersion(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    const workers = navigator.serviceWorker;
    if (!workers) return;
    let registration: ServiceWorkerRegistration | undefined;
    // The development server has no service worker.
    if (import.meta.env.DEV && import.meta.env.MODE !== 'test') return;
    let isStopped = false;
    const seen = (worker: ServiceWorker | null) => {
      // Without a controller it is the first visit: nothing older is on screen.
      if (worker?.state === 'installed' && workers.controller) setWaiting(worker);
    };
    const found = () => {
      const worker = registration?.installing;
      worker?.addEventListener('statechange', () => seen(worker));
    };
    const checkForUpdate = () => {
      // An unreachable server is told elsewhere.
      if (!document.hidden) registration?.update().catch(() => {});
    };
    workers
      .register('/service-worker.js')
      .then((registered) => {
        if (isStopped) return;
        registration = registered;
        seen(registered.waiting);
        registered.addEventListener('updatefound', found);
      })
      // The console works without it, e.g. where the browser forbids it.
      .catch(() => {});
    const timer = setInterval(checkForUpdate, checkIntervalMs);
    document.addEventListener('visibilitychange', checkForUpdate);
    return () => {
      isStopped = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', checkForUpdate);
      registration?.removeEventListener('updatefound', found);
    };
  }, []);

  if (!waiting) return null;
  return () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take-over');
  };
}
