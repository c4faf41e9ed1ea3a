// What if: the settings of the form around it against the messages of the last days, before they are saved.
import { useFetcher } from '@remix-run/react';
import type { ReplayState } from '@yagura/core/alerthub/replay';
import { useEffect, useId, useRef, useState } from 'react';
import { asRefusal, useRefusalText } from '../resource/use-refusal-toast.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { controlClass } from '../ui/field-frame.tsx';
import { useTranslation } from '../ui/words.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import { ReplayAnswerView } from './replay-answer.tsx';
import { replayFields } from './replay-fields.ts';

/** Milliseconds between two looks. */
const interval = 1000;
const dayChoices = [1, 3, 7, 14, 30];

export function ReplayPanel() {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ replay: ReplayState } | { problem: unknown }>();
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const [days, setDays] = useState(7);
  const tell = useRefusalText();
  const refusal = asRefusal(fetcher.data);
  const state = fetcher.data && 'replay' in fetcher.data ? fetcher.data.replay : undefined;
  const running = state?.status === 'processing';
  const { submit } = fetcher;

  useEffect(() => {
    if (!running || fetcher.state !== 'idle') return;
    const look = () =>
      submit(
        { [replayFields.intent]: 'replay-state', [replayFields.id]: state!.replayId },
        { method: 'post' },
      );
    const timer = setTimeout(look, interval);
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
            className={classes(controlClass, 'h-8')}
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
      <div aria-live="polite" className={classes('grid grid-cols-1 gap-2', (refusal || state) && 'mt-3')}>
        {refusal && <RefusalAlert text={tell(refusal)} errors={refusal.errors} />}
        {running && (
          <progress max={100} value={state.progress ?? 0} className="w-full" aria-label={t('replay.title')} />
        )}
        {state?.status === 'aborted' && <p className="text-sm">{t('replay.aborted')}</p>}
        {state?.status === 'failed' && (
          <p role="alert" className="text-sm text-danger-fg">
            {state.errorDescriptor?.detail ?? t('replay.failed')}
          </p>
        )}
        {state?.result && <ReplayAnswerView answer={state.result} />}
      </div>
    </section>
  );
}
