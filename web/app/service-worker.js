// Keeps the built files of one version in the browser, and lets the page decide when a newer version takes over. Pages and data are never kept.
const name = 'assets-__BUILD__';

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
      const reply = await fetch(request);
      if (reply.ok) event.waitUntil(cache.put(request, reply.clone()));
      return reply;
    })(),
  );
});
