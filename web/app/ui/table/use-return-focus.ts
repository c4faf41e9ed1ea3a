// Gives the focus back to the row whose item was opened, when the user returns to the list.
import { useLocation, useNavigationType } from '@remix-run/react';
import { type RefObject, useEffect } from 'react';

/** Property of the browser's history entry of a list with the address of the link that was opened last. */
const stateKey = 'openedLink';

export function useReturnFocus(box: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    const { [stateKey]: address, ...state } = window.history.state ?? {};
    if (!isReturn || address === undefined || document.activeElement !== document.body) return;
    const link = [...box.current!.querySelectorAll('a')].find((one) => one.getAttribute('href') === address);
    if (!link) return;
    // The position on the page is restored by the router.
    link.focus({ preventScroll: true });
    window.history.replaceState(state, '');
  }, [box, key, isReturn]);
  useEffect(() => {
    const node = box.current!;
    const rememberLink = ({ target }: MouseEvent) => {
      const address = (target as Element).closest('a')?.getAttribute('href');
      if (address) window.history.replaceState({ ...window.history.state, [stateKey]: address }, '');
    };
    // Before the router adds the entry of the next page.
    node.addEventListener('click', rememberLink, true);
    return () => node.removeEventListener('click', rememberLink, true);
  }, [box]);
}
