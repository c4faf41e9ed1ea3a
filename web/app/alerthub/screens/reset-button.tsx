// Sets a severity of the scope on screen, or all of them, back to 0 after asking.
import { useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useRefusalToast } from '../../resource/use-refusal-toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useTranslation } from '../../ui/words.tsx';

export function ResetButton({ name }: { name: string | null }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data, () => setAsking(false));
  const busy = fetcher.state !== 'idle';
  const was = useWas(busy);
  useEffect(() => {
    if (was && !busy) setAsking(false);
  }, [was, busy]);
  const what = name ?? t('page.severities');
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)} aria-label={`${t('verb.reset')}: ${what}`}>
        {name === null ? t('page.reset-all') : t('verb.reset')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('page.reset-title', { name: what })}
        text={t('page.reset-text')}
        confirmLabel={t('verb.reset')}
        busyLabel={t('page.resetting')}
        danger={false}
        busy={busy}
        onConfirm={() =>
          fetcher.submit({ intent: 'reset', name: name ?? '' }, { method: 'post', action: '?index' })
        }
        onCancel={() => setAsking(false)}
      />
    </>
  );
}

/** The value of the render before. */
function useWas(value: boolean): boolean {
  const [pair, setPair] = useState({ now: value, was: value });
  if (pair.now !== value) setPair({ now: value, was: pair.now });
  return pair.now === value ? pair.was : pair.now;
}
