// A live desktop session: picture, participants and questions. Loaded when a session is opened.
import { useFetcher, useNavigate } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { toggleFullScreen } from '../../ui/toggle-full-screen.ts';
import { useTranslation } from '../../ui/translation.tsx';
import type { LiveSessionProps } from '../connect/live-session.tsx';
import { GatewayKeyDialog, HostKeyDialog } from '../connect/session-dialogs.tsx';
import { SessionNotes } from '../connect/session-notes.tsx';
import { StatusPanel } from '../connect/status-panel.tsx';
import { useSession } from '../connect/use-session.ts';
import { ViewersBar } from '../connect/viewers-bar.tsx';
import { EndSessionButton } from '../end-session-button.tsx';
import { loadDesktopClient } from './desktop-client.ts';
import { type DesktopHandle, DesktopView } from './desktop-view.tsx';
import { ctrlAltDelete } from './scan-codes.ts';

export function LiveDesktop(props: Omit<LiveSessionProps, 'protocol' | 'hasFiles'>) {
  const { t } = useTranslation();
  const [controller, state] = useSession(props.sessionId, props.mode);
  const desktop = useRef<DesktopHandle>(null);
  const toolbar = useRef<HTMLElement>(null);
  const [isFailed, setFailed] = useState(false);
  const leaving = useFetcher<{ done?: string }>();
  const navigate = useNavigate();
  useEffect(() => {
    if (leaving.data?.done === 'leave') navigate('/apps/greac/sessions');
  }, [leaving.data, navigate]);
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
        <header
          ref={toolbar}
          className="flex items-center gap-2 border-b border-line bg-surface px-4 py-2 max-sm:px-2"
        >
          <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{props.name}</h1>
          <Button
            busy={leaving.state !== 'idle'}
            onClick={() => {
              controller.leave();
              void leaving.submit({ intent: 'leave' }, { method: 'post' });
            }}
          >
            {t('greac.leave')}
          </Button>
          {props.mayClose && <EndSessionButton />}
          <Menu
            label={t('terminal.more')}
            items={items}
            className="inline-flex size-8 items-center justify-center rounded-md hover:bg-hover"
          >
            <Icon name="more" />
          </Menu>
        </header>
        <StatusPanel
          status={state.status}
          destinationId={props.destinationId}
          mayOpen={props.mayOpen}
          onRetry={() => controller.retryNow()}
        />
        <ViewersBar controller={controller} state={state} />
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
