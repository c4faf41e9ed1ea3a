// Global keyboard shortcuts: Ctrl/Cmd+K opens the palette, / the filter, ? the shortcuts, g and a letter
// navigates.
import { useNavigate } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';

/** Second key after g. */
export const shortcutPaths = {
  h: '/',
  m: '/apps/alerthub/messages',
  s: '/apps/alerthub/scopes',
  r: '/apps/alerthub/rules',
  a: '/apps/alerthub/actions',
  l: '/apps/alerthub/receive-slots',
} as const;

/** Time in milliseconds to type the letter after g. */
const sequenceTimeoutMs = 1200;

export function useShortcuts() {
  const [shown, setShown] = useState<'sheet' | 'palette'>();
  const navigate = useNavigate();
  const lastLeaderKeyAt = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // Caps Lock makes capitals of letters, as Shift does.
      const key = event.shiftKey ? event.key : event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === 'k' && !event.altKey && !event.shiftKey) {
        if (document.querySelector('dialog[open]')) return;
        setShown('palette');
        event.preventDefault();
        return;
      }
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const index =
        event.timeStamp - lastLeaderKeyAt.current < sequenceTimeoutMs
          ? shortcutPaths[key as keyof typeof shortcutPaths]
          : undefined;
      lastLeaderKeyAt.current = key === 'g' ? event.timeStamp : 0;
      if (index) navigate(index);
      else if (key === '?') setShown('sheet');
      else if (key === '/')
        document.querySelector<HTMLInputElement>('main search input[type=search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate]);
  return { shown, open: setShown, close: () => setShown(undefined) };
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
