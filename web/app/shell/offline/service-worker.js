// Keeps the built files of one version in the browser, and lets the page decide when a newer version takes over. Pages and data are never kept.
const name = 'assets-__BUILD__';
/** Milliseconds after which a file is asked for again while the server is away, as the page does for its data. */
const retryIntervalMs = 3000;
/** Less than the page waits for a file. */
const maxRetries = 30;
/** Statuses of a proxy without a server behind it. */
const awayStatuses = [502, 503, 504];

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const key of await caches.keys()) if (key !== name) await caches.delete(key);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (
    request.method !== 'GET' ||
    url.origin !== self.location.origin ||
    !url.pathname.startsWith('/assets/')
  ) {
    return;
  }
  event.respondWith(
    (async () => {
      const cache = await caches.open(name);
      const held = await cache.match(request);
      if (held) return held;
      const reply = await fetchWhenBack(request);
      if (reply.ok) event.waitUntil(cache.put(request, reply.clone()));
      return reply;
    })(),
  );
});

/** A page whose code cannot be loaded would reload, and there would be nothing to load. */
async function fetchWhenBack(request) {
  for (let retries = 0; ; retries++) {
    try {
      const reply = await fetch(request);
      if (!awayStatuses.includes(reply.status) || retries === maxRetries) return reply;
    } catch (error) {
      if (retries === maxRetries || request.signal.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryIntervalMs));
  }
}
