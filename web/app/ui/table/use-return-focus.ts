// Gives the focus back to the row whose item was opened, when the user returns to the list.
import { useLocation, useNavigationType } from '@remix-run/react';
import { type RefObject, useEffect, useLayoutEffect } from 'react';

/** Address of the row link that had the focus when its list was left, by the key of the list's history entry. */
const openedLinks = new Map<string, string>();

export function useReturnFocus(box: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    const address = openedLinks.get(key);
    if (!isReturn || address === undefined || document.activeElement !== document.body) return;
    const links = [...(box.current?.querySelectorAll('a') ?? [])];
    // The position on the page is restored by the router.
    links.find((link) => link.getAttribute('href') === address)?.focus({ preventScroll: true });
  }, [box, key, isReturn]);
  // Before the rows are removed from the document.
  useLayoutEffect(
    () => () => {
      const focused = document.activeElement;
      const address = box.current?.contains(focused) ? focused?.getAttribute('href') : null;
      if (address) openedLinks.set(key, address);
    },
    [box, key],
  );
}
