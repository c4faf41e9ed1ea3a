// Progress line at the top during navigation, and the screen reader announcement of the new page.
import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { chunkTimeoutMs } from '../../ui/deferred/load-chunk.ts';
import { useTranslation } from '../../ui/translation.tsx';

/** Delay in milliseconds; shorter navigations show nothing. */
const progressDelayMs = 120;

export function NavigationProgress() {
  const { t } = useTranslation();
  const busy = useNavigation().state !== 'idle';
  const [shown, setShown] = useState(false);
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!busy) return setShown(false);
    const timer = setTimeout(() => setShown(true), progressDelayMs);
    const end = setTimeout(() => setLate(true), chunkTimeoutMs);
    return () => {
      clearTimeout(timer);
      clearTimeout(end);
    };
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
      {late && (
        <div
          role="alert"
          className="fixed inset-x-2 top-2 z-90 mx-auto flex max-w-[580px] flex-wrap items-center gap-3 rounded-lg bg-danger-bg px-4 py-3 text-sm text-danger-fg shadow-float"
        >
          <span className="min-w-0 flex-1">{t('shell.chunk-late', { seconds: chunkTimeoutMs / 1000 })}</span>
          <Button size="small" icon="refresh" onClick={() => location.reload()}>
            {t('verb.reload')}
          </Button>
        </div>
      )}
      <RouteAnnouncer />
    </>
  );
}

function RouteAnnouncer() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [text, setText] = useState('');
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = '';
    // The title changes with the new page; announce it afterwards.
    const timer = setTimeout(() => setText(document.title), 100);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
