// Top of a live session: name, buttons, connection state and participants.
import { useFetcher, useNavigate } from '@remix-run/react';
import { type ReactNode, type Ref, useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { EndSessionButton } from '../end-session-button.tsx';
import type { SessionController, SessionState } from './session-controller.ts';
import { isSessionOver, StatusPanel } from './status-panel.tsx';
import { ViewersBar } from './viewers-bar.tsx';

export interface SessionHeaderProps {
  /** The bar of buttons. */
  toolbar: Ref<HTMLElement>;
  name: string;
  destinationId: string;
  mayOpen: boolean;
  mayClose: boolean;
  controller: SessionController;
  state: SessionState;
  /** Entries of the menu. */
  items: MenuItem[];
  /** Further buttons. */
  children?: ReactNode;
}

export function SessionHeader({ controller, state, ...props }: SessionHeaderProps) {
  const { t } = useTranslation();
  const leaving = useFetcher<{ done?: string }>();
  const navigate = useNavigate();
  useEffect(() => {
    if (leaving.data?.done === 'leave') navigate('/apps/greac/sessions');
  }, [leaving.data, navigate]);
  return (
    <>
      <header
        ref={props.toolbar}
        className="flex items-center gap-2 border-b border-line bg-surface px-4 py-2 max-sm:px-2"
      >
        <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{props.name}</h1>
        {props.children}
        <Button
          busy={leaving.state !== 'idle'}
          onClick={() => {
            controller.leave();
            void leaving.submit({ intent: 'leave' }, { method: 'post' });
          }}
        >
          {t('greac.leave')}
        </Button>
        {props.mayClose && !isSessionOver(state.status) && <EndSessionButton />}
        <Menu
          label={t('terminal.more')}
          items={props.items}
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
    </>
  );
}
