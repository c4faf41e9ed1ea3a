// Connects a component to a session's controller.
import type { ViewerMode } from '@yagura/core/greac/stream/viewer-protocol';
import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  attachInBrowser,
  browserConnection,
  SessionController,
  type SessionState,
} from './session-controller.ts';

/** The stream starts with the terminal that shows it, and ends with the component. */
export function useSession(sessionId: string, mode: ViewerMode): [SessionController, SessionState] {
  const [controller] = useState(
    () =>
      new SessionController({
        ...browserConnection,
        sessionId,
        mode,
        attach: () => attachInBrowser(sessionId),
      }),
  );
  useEffect(() => () => controller.leave(), [controller]);
  return [controller, useSyncExternalStore(controller.subscribe, controller.getState, controller.getState)];
}
