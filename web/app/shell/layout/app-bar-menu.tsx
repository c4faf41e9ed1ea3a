// Menu of the app bar: works without scripts; with scripts it closes on Escape, on a click outside, after a selection
// and on another page.
import { useLocation } from '@remix-run/react';
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

/** `label` is the accessible name; `text` is shown next to the icon from medium width up. */
export function AppBarMenu(props: { label: string; icon: IconName; text?: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);

  useLayoutEffect(() => {
    // Somebody may have opened it before the page was hydrated, or while the result of a form was loading.
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    menu.current?.removeAttribute('open');
  }, [pathname]);

  const closeAfterSelection = ({ target }: MouseEvent) => {
    if (!(target as Element).closest('a, button')) return;
    // What has the focus is about to be hidden.
    menu.current?.querySelector('summary')?.focus();
    menu.current?.removeAttribute('open');
  };

  useEffect(() => {
    const close = (event: Event) => {
      const element = menu.current;
      if (!element?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        element.open = false;
        element.querySelector('summary')?.focus();
      } else if (!element.contains(event.target as Node)) {
        element.open = false;
      }
    };
    const listening = new AbortController();
    for (const type of ['pointerdown', 'keydown', 'focusin'])
      document.addEventListener(type, close, listening);
    return () => listening.abort();
  }, []);

  return (
    <details ref={menu} className="group relative">
      <summary
        aria-label={props.label}
        title={props.label}
        className="flex h-8 min-w-8 items-center justify-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-text group-open:bg-hover group-open:text-text"
      >
        <Icon name={props.icon} />
        {props.text && <span className="max-w-40 truncate max-md:hidden">{props.text}</span>}
        <Icon name="down" size={12} className="max-md:hidden" />
      </summary>
      {/* biome-ignore lint/a11y: the links and buttons inside are what is clicked, also by keyboard */}
      <div
        onClick={closeAfterSelection}
        className="absolute right-0 z-40 mt-1 min-w-52 rounded-lg border border-line bg-surface-raised p-1 shadow-float"
      >
        {props.children}
      </div>
    </details>
  );
}

/** Classes of a link or button in the menu. */
export const menuItemClass =
  'flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm text-text no-underline hover:bg-hover';

export function MenuHeading({ children }: { children: ReactNode }) {
  return <p className="px-2 pt-1.5 pb-1 text-xs font-medium text-muted">{children}</p>;
}
