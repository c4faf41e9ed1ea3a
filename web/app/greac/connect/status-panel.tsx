// State of the connection of a live session, with the reason when there is none.

import { useLocation } from '@remix-run/react';
import { describeFailure, interruptionText, streamReasonText } from '@yagura/core/greac/stream/reason-texts';
import type { StreamStatus } from '@yagura/core/greac/stream/session-stream';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { useProblemText } from '../../resource/write/use-problem-toast.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { FailureDetails } from '../failure-info.tsx';
import { OpenSessionButton } from '../open-session-button.tsx';

const labels: Record<StreamStatus['state'], MessageKey> = {
  attaching: 'terminal.attaching',
  connecting: 'terminal.connecting',
  connected: 'terminal.connected',
  reconnecting: 'terminal.reconnecting',
  ended: 'terminal.ended',
  failed: 'terminal.failed',
  left: 'terminal.ended',
};

const icons: Record<StreamStatus['state'], IconName> = {
  attaching: 'progress',
  connecting: 'progress',
  connected: 'success',
  reconnecting: 'progress',
  ended: 'neutral',
  failed: 'error',
  left: 'neutral',
};

/** Others are still in a session that only this viewer could not join. */
export function isSessionOver(status: StreamStatus): boolean {
  return status.state === 'ended' || (status.state === 'failed' && status.isClosed === true);
}

export function StatusPanel(props: {
  status: StreamStatus;
  destinationId: string;
  mayOpen: boolean;
  onRetry(): void;
}) {
  const { t } = useTranslation();
  const formatProblem = useProblemText();
  const { pathname, search } = useLocation();
  const { status } = props;
  const failure =
    status.state === 'failed' && status.code ? describeFailure(status.code, status.params) : null;
  const reason = failure ? t(failure.text) : reasonText(status, t, formatProblem);
  if (status.state === 'connected') {
    return (
      <span role="status" className="sr-only">
        {t('terminal.connected')}
      </span>
    );
  }
  const isBusy = icons[status.state] === 'progress';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface-raised px-4 py-2 text-sm">
      <div role="status" className="flex min-w-0 flex-1 items-start gap-2">
        <Icon name={icons[status.state]} className={isBusy ? 'mt-0.5 motion-safe:animate-spin' : 'mt-0.5'} />
        <div className="min-w-0">
          <p>
            <strong className="font-semibold">{t(labels[status.state])}</strong>
            {reason && ` ${reason}`}
          </p>
          {failure && <FailureDetails details={failure.details} />}
        </div>
      </div>
      {status.state === 'reconnecting' && (
        <Button size="small" onClick={props.onRetry}>
          {t('terminal.retry')}
        </Button>
      )}
      {isSessionOver(status) && props.mayOpen && (
        <OpenSessionButton destinationId={props.destinationId} label={t('terminal.again')} />
      )}
      {status.state === 'failed' && !status.isClosed && (
        <LinkButton to={pathname + search} reloadDocument>
          {t('terminal.again')}
        </LinkButton>
      )}
    </div>
  );
}

function reasonText(
  status: StreamStatus,
  t: ReturnType<typeof useTranslation>['t'],
  formatProblem: ReturnType<typeof useProblemText>,
): string {
  switch (status.state) {
    case 'ended':
      return t(interruptionText(status.reason) ?? 'stream.ended');
    case 'failed':
    case 'reconnecting':
      if (status.code) return t(streamReasonText(status.code));
      return status.problem ? formatProblem({ problem: status.problem }) : '';
    default:
      return '';
  }
}
