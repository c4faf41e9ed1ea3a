// Gives the focus back to the row whose item was opened, when the user returns to the list, at the same place.
import { useLocation, useNavigationType } from '@remix-run/react';
import { type RefObject, useEffect } from 'react';

/** Property of the browser's history entry of a list that describes the link that was opened last. */
const stateKey = 'openedLink';
/** Frames in which a long table, which draws only the rows around its scroll position, has drawn the row. */
const maxFrames = 10;

interface OpenedLink {
  address: string;
  /** Scroll position of the table, which scrolls inside the page. */
  top: number;
}

export function useReturnFocus(box: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  useEffect(() => {
    const { [stateKey]: opened, ...state } = window.history.state ?? {};
    if (!isReturn || opened === undefined) return;
    const { address, top } = opened as OpenedLink;
    let frame = 0;
    let framesLeft = maxFrames;
    let isPlaced = false;
    const focusLink = () => {
      const node = box.current;
      if (!node || document.activeElement !== document.body) return;
      // Not again once it is there: the user may scroll on.
      if (!isPlaced) node.scrollTop = top;
      isPlaced ||= node.scrollTop >= top - 1;
      const link = [...node.querySelectorAll('a')].find((one) => one.getAttribute('href') === address);
      if (link) {
        // The position on the page is restored by the router.
        link.focus({ preventScroll: true });
        window.history.replaceState(state, '');
      } else if (framesLeft-- > 0) frame = requestAnimationFrame(focusLink);
    };
    focusLink();
    return () => cancelAnimationFrame(frame);
  }, [box, key, isReturn]);
  useEffect(() => {
    const node = box.current!;
    const rememberLink = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a');
      const address = link?.getAttribute('href');
      // The page stays where the link opens another tab.
      const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link?.target;
      if (!address || isElsewhere) return;
      const opened: OpenedLink = { address, top: node.scrollTop };
      window.history.replaceState({ ...window.history.state, [stateKey]: opened }, '');
    };
    // Before the router adds the entry of the next page.
    node.addEventListener('click', rememberLink, true);
    return () => node.removeEventListener('click', rememberLink, true);
  }, [box]);
}
