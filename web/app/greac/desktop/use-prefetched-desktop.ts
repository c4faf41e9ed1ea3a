// Gets the code of desktops into the browser's cache while the user is on a page that leads to one.
import { useEffect } from 'react';
import { loadChunk } from '../../ui/deferred/load-chunk.ts';

export function usePrefetchedDesktop(isWanted: boolean): void {
  useEffect(() => {
    // Whatever is missing is loaded when it is needed, and fails there.
    if (isWanted) void prefetch().catch(() => undefined);
  }, [isWanted]);
}

async function prefetch(): Promise<void> {
  const [{ wasmUrl }] = await Promise.all([
    import('./iron-rdp.client.ts'),
    loadChunk('live-desktop', () => import('./live-desktop.tsx')),
  ]);
  const reply = await fetch(wasmUrl, { priority: 'low' });
  // A reply that nobody reads is not kept.
  await reply.arrayBuffer();
}
