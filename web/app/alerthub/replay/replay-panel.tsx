// Panel that replays the last days' messages with the unsaved settings of the surrounding form.
import { useFetcher } from '@remix-run/react';
import type { ReplayState } from '@yagura/core/alerthub/replay';
import { useEffect, useId, useRef, useState } from 'react';
import { toActionProblem, useProblemText } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { controlClass } from '../../ui/field/field-frame.tsx';
import { ProblemAlert } from '../../ui/form/problem-alert.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import { replayFields } from './replay-fields.ts';
import { ReplayResult } from './replay-result.tsx';

/** Polling interval in milliseconds. */
const pollIntervalMs = 1000;
const dayChoices = [1, 3, 7, 14, 30];

export function ReplayPanel() {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ replay: ReplayState } | { problem: unknown }>();
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const [days, setDays] = useState(7);
  const formatProblem = useProblemText();
  const actionProblem = toActionProblem(fetcher.data);
  const state = fetcher.data && 'replay' in fetcher.data ? fetcher.data.replay : undefined;
  const running = state?.status === 'processing';
  const { submit } = fetcher;

  useEffect(() => {
    if (!running || fetcher.state !== 'idle') return;
    const poll = () =>
      submit(
        { [replayFields.intent]: 'replay-state', [replayFields.id]: state!.replayId },
        { method: 'post' },
      );
    const timer = setTimeout(poll, pollIntervalMs);
    return () => clearTimeout(timer);
  }, [running, fetcher.state, state, submit]);

  function start() {
    const form = box.current?.closest('form');
    if (!form) return;
    const data = new FormData(form);
    data.set(replayFields.intent, 'replay');
    data.set(replayFields.days, String(days));
    submit(data, { method: 'post' });
  }

  return (
    <section
      ref={box}
      aria-labelledby={`${id}-title`}
      className="min-w-0 rounded-md border border-line bg-surface-sunken p-3"
    >
      <h2 id={`${id}-title`} className="font-semibold">
        {t('replay.title')}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t('replay.hint')}</p>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <label className="grid gap-1 text-sm" htmlFor={`${id}-days`}>
          {t('replay.days')}
          <select
            id={`${id}-days`}
            value={days}
            onChange={(event) => setDays(Number(event.target.value))}
            className={classNames(controlClass, 'h-8')}
          >
            {dayChoices.map((count) => (
              <option key={count} value={count}>
                {t('replay.last-days', { count })}
              </option>
            ))}
          </select>
        </label>
        <Button icon="refresh" busy={running} onClick={start}>
          {t('replay.run')}
        </Button>
        {running && (
          <Button
            onClick={() =>
              submit(
                { [replayFields.intent]: 'replay-abort', [replayFields.id]: state.replayId },
                { method: 'post' },
              )
            }
          >
            {t('replay.abort')}
          </Button>
        )}
      </div>
      <div
        aria-live="polite"
        className={classNames('grid grid-cols-1 gap-2', (actionProblem || state) && 'mt-3')}
      >
        {actionProblem && <ProblemAlert text={formatProblem(actionProblem)} errors={actionProblem.errors} />}
        {running && (
          <progress max={100} value={state.progress ?? 0} className="w-full" aria-label={t('replay.title')} />
        )}
        {state?.status === 'aborted' && <p className="text-sm">{t('replay.aborted')}</p>}
        {state?.status === 'failed' && (
          <p role="alert" className="text-sm text-danger-fg">
            {state.errorDescriptor?.detail ?? t('replay.failed')}
          </p>
        )}
        {state?.result && <ReplayResult answer={state.result} />}
      </div>
    </section>
  );
}
