// Whether the page runs in a browser.
import { useEffect, useState } from 'react';

/** False while the server renders and in the first render of the browser, which must be the same. */
export function useIsHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
