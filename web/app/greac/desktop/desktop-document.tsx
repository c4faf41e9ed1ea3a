// Desktops need WebAssembly, which the security policy of most pages forbids. A policy belongs to the document: whoever
// comes here from another page of the console gets a new document first.
import { type ReactNode, useEffect, useState } from 'react';

/** Only rendered in a hydrated page. */
export function DesktopDocument({ children, fallback }: { children: ReactNode; fallback: ReactNode }) {
  const [isOwn] = useState(wasLoadedHere);
  useEffect(() => {
    if (!isOwn) location.reload();
  }, [isOwn]);
  return isOwn ? children : fallback;
}

/** Whether the document was loaded for this page. */
export function wasLoadedHere(): boolean {
  const [document] = performance.getEntriesByType('navigation');
  return !document || new URL(document.name).pathname === location.pathname;
}
