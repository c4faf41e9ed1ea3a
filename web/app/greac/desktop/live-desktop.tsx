// A live desktop session: picture, participants and questions. Loaded when a session is opened.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { toggleFullScreen } from '../../ui/toggle-full-screen.ts';
import { useTranslation } from '../../ui/translation.tsx';
import type { LiveSessionProps } from '../connect/live-session.tsx';
import { GatewayKeyDialog, HostKeyDialog } from '../connect/session-dialogs.tsx';
import { SessionHeader } from '../connect/session-header.tsx';
import { SessionNotes } from '../connect/session-notes.tsx';
import { useSession } from '../connect/use-session.ts';
import { loadDesktopClient } from './desktop-client.ts';
import { type DesktopHandle, DesktopView } from './desktop-view.tsx';
import { ctrlAltDelete } from './scan-codes.ts';

export function LiveDesktop(props: Omit<LiveSessionProps, 'protocol' | 'hasFiles'>) {
  const { t } = useTranslation();
  const [controller, state] = useSession(props.sessionId, props.mode);
  const desktop = useRef<DesktopHandle>(null);
  const toolbar = useRef<HTMLElement>(null);
  const [isFailed, setFailed] = useState(false);
  // While the gateway connects.
  useEffect(() => void loadDesktopClient().catch(() => undefined), []);
  const isConnected = state.status.state === 'connected';
  const onShown = useCallback(() => setFailed(false), []);
  const size = { ...props.parameters, ...state.parameters } as {
    displayWidth?: number;
    displayHeight?: number;
  };
  const items: MenuItem[] = [
    {
      label: t('terminal.ctrl-alt-del'),
      disabled: !state.hasControl,
      onSelect() {
        desktop.current?.press(ctrlAltDelete);
        desktop.current?.focus();
      },
    },
    { label: t('terminal.full-screen'), separated: true, onSelect: toggleFullScreen },
  ];
  return (
    <div className="grid h-dvh grid-rows-[auto_minmax(0,1fr)]">
      <div>
        <SessionHeader
          toolbar={toolbar}
          name={props.name}
          destinationId={props.destinationId}
          mayOpen={props.mayOpen}
          mayClose={props.mayClose}
          controller={controller}
          state={state}
          items={items}
        />
        <SessionNotes
          notes={[
            !state.isRecording && t('terminal.not-recorded'),
            isFailed && isConnected && t('terminal.desktop-failed'),
            isConnected && state.viewers.length > 0 && !state.hasControl && t('terminal.watching'),
          ]}
        />
      </div>
      <main className="grid min-h-0 min-w-0">
        <DesktopView
          controller={controller}
          label={t('terminal.desktop-label', { name: props.name })}
          isConnected={isConnected}
          hasControl={state.hasControl && isConnected}
          width={size.displayWidth ?? null}
          height={size.displayHeight ?? null}
          onShown={onShown}
          onFailed={() => setFailed(true)}
          onEscape={() => toolbar.current?.querySelector<HTMLElement>('button, a')?.focus()}
          handle={desktop}
        />
      </main>
      <HostKeyDialog controller={controller} state={state} isCertificate />
      <GatewayKeyDialog controller={controller} state={state} />
    </div>
  );
}
