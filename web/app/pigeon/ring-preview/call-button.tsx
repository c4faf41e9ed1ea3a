// Button that starts a call chain after a confirmation, which names whom it will call.
import { useFetcher, useNavigate } from '@remix-run/react';
import type { LineKind } from '@yagura/core/pigeon/result';
import type { RingPreview } from '@yagura/core/pigeon/ring-preview';
import { useEffect, useRef, useState } from 'react';
import { toActionProblem, useProblemText } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ProblemAlert } from '../../ui/form/problem-alert.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { callIntent, previewIntent, type RequestedCall, requestFields } from './preview-fields.ts';
import { phonesOf } from './preview-phones.ts';

/** `none` if no line is configured, `unknown` if the user may not see it. */
export type CallLine = LineKind | 'none' | 'unknown';

interface CallProps {
  call: RequestedCall;
  line: CallLine;
}

export function CallButton({ call, line, disabled }: CallProps & { disabled: boolean }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(0);
  return (
    <>
      <Button variant="primary" disabled={disabled} onClick={() => setOpened(opened + 1)}>
        {t('pigeon.call.start')}
      </Button>
      {opened > 0 && <CallDialog key={opened} call={call} line={line} />}
    </>
  );
}

/** Sends one call at most: another one takes another look at whom it will call. */
function CallDialog({ call: requested, line }: CallProps) {
  const { t } = useTranslation();
  const formatProblem = useProblemText();
  const [call] = useState(requested);
  const [isOpen, setIsOpen] = useState(true);
  const isSent = useRef(false);
  const { submit, data } = useFetcher<{ preview: RingPreview } | { problem: unknown }>();
  const start = useFetcher<{ resultId: string } | { problem: unknown }>();
  useEffect(() => submit(requestFields(previewIntent, call), { method: 'post' }), [submit, call]);
  const preview = data && 'preview' in data ? data.preview : undefined;
  const problem = toActionProblem(data) ?? toActionProblem(start.data);
  const resultId = start.data && 'resultId' in start.data ? start.data.resultId : undefined;
  const busy = start.state !== 'idle' || resultId !== undefined;
  const navigate = useNavigate();
  useEffect(() => {
    // A redirect of the action would leave the URL as it is if it came while the page is being reloaded.
    if (resultId) navigate(`/apps/pigeon/results/${encodeURIComponent(resultId)}`);
  }, [resultId, navigate]);
  const close = () => setIsOpen(false);
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      title={t('pigeon.call.title')}
      locked={busy}
      footer={
        <>
          <Button data-first="" onClick={close} disabled={busy}>
            {t('verb.cancel')}
          </Button>
          <Button
            variant={line === 'simulator' ? 'primary' : 'danger'}
            busy={busy}
            disabled={preview?.rejection !== null || line === 'none' || problem !== undefined}
            onClick={() => {
              // The state of the fetcher can be behind a second click.
              if (isSent.current) return;
              isSent.current = true;
              start.submit(requestFields(callIntent, call), { method: 'post' });
            }}
          >
            {t('pigeon.call.start')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <LineNotice line={line} />
        <div aria-live="polite" className="grid grid-cols-1 gap-3">
          {problem && <ProblemAlert text={formatProblem(problem)} errors={problem.errors} />}
          {preview ? <Callees preview={preview} /> : !problem && <p>{t('shell.loading')}</p>}
        </div>
      </div>
    </Dialog>
  );
}

function LineNotice({ line }: { line: CallLine }) {
  const { t, choiceLabel } = useTranslation();
  const texts = {
    none: t('pigeon.rejected.noLine'),
    unknown: t('pigeon.call.unknown-line'),
    simulator: t('pigeon.call.simulated', { line: choiceLabel(line) }),
  };
  return (
    <p
      className={classNames(
        'rounded-md px-3 py-2',
        line === 'simulator' ? 'bg-warning-bg text-warning-fg' : 'bg-danger-bg text-danger-fg',
      )}
    >
      {line in texts ? texts[line as keyof typeof texts] : t('pigeon.call.real', { line: choiceLabel(line) })}
    </p>
  );
}

function Callees({ preview }: { preview: RingPreview }) {
  const { t } = useTranslation();
  const { calls, rejection, isCut } = preview;
  const loops = Math.max(1, ...calls.map(({ loop }) => loop));
  return (
    <>
      {rejection !== null && <ProblemAlert text={rejection} errors={{}} />}
      <p>{t('pigeon.call.phones', { count: loops })}</p>
      <ol className="grid list-decimal gap-1 pl-6">
        {phonesOf(preview).map(({ position, name, phoneNumber }) => (
          <li key={position} className="break-words">
            <span className="font-medium">{name || t('pigeon.unnamed')}</span>{' '}
            <span className="text-muted tabular-nums">{phoneNumber}</span>
          </li>
        ))}
      </ol>
      {isCut && <p className="text-muted">{t('pigeon.ring-preview.cut', { count: calls.length })}</p>}
    </>
  );
}
