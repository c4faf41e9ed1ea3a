// The line at the top during a navigation, and the spoken name of the page that was reached.
import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../ui/words.tsx';

/** Navigations shorter than this show nothing; in milliseconds. */
const patience = 120;

export function Progress() {
  const { t } = useWords();
  const busy = useNavigation().state !== 'idle';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!busy) return setShown(false);
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [busy]);
  return (
    <>
      {shown && (
        <div
          role="progressbar"
          aria-label={t('text.loading')}
          className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden"
        >
          <div className="h-full w-2/5 animate-progress bg-brand" />
        </div>
      )}
      <Announcer />
    </>
  );
}

function Announcer() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [text, setText] = useState('');
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = '';
    // The title is written with the new page; it is read out after that.
    const timer = setTimeout(() => setText(document.title), 100);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
