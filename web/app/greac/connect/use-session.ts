// Connects a component to a session's controller.
import type { ViewerMode } from '@yagura/core/greac/stream/viewer-protocol';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { attachInBrowser, closeReasonInBrowser } from './attach-in-browser.ts';
import { browserConnection, SessionController, type SessionState } from './session-controller.ts';

/** The stream starts with the terminal that shows it, and ends with the component. */
export function useSession(sessionId: string, mode: ViewerMode): [SessionController, SessionState] {
  const [controller] = useState(
    () =>
      new SessionController({
        ...browserConnection,
        sessionId,
        mode,
        attach: () => attachInBrowser(sessionId),
        closeReason: () => closeReasonInBrowser(sessionId),
      }),
  );
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    // The network is back: the next attempt need not wait for its delay.
    const retry = () => controller.retryNow();
    addEventListener('online', retry);
    return () => {
      removeEventListener('online', retry);
      // A component that is mounted again at once, as React does in development, keeps its session.
      leaving.current = setTimeout(() => controller.leave());
    };
  }, [controller]);
  return [controller, useSyncExternalStore(controller.subscribe, controller.getState, controller.getState)];
}
