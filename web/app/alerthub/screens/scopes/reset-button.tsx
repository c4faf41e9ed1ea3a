// Button that resets one severity of the scope, or all of them, to 0 after a confirmation.
import { useFetcher } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/overlay/dialog.tsx';
import { useFocusAfterRemoval } from '../../../ui/overlay/use-focus-after-removal.ts';
import { useTranslation } from '../../../ui/translation.tsx';

export function ResetButton({ name }: { name: string | null }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const busy = fetcher.state !== 'idle';
  const wasBusy = usePrevious(busy);
  useEffect(() => {
    if (wasBusy && !busy) setIsConfirming(false);
  }, [wasBusy, busy]);
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterRemoval(button);
  const what = name ?? t('page.severities');
  return (
    <>
      <Button
        ref={button}
        size="small"
        onClick={() => setIsConfirming(true)}
        aria-label={`${t('verb.reset')}: ${what}`}
      >
        {name === null ? t('page.reset-all') : t('verb.reset')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('page.reset-title', { name: what })}
        text={t('page.reset-text')}
        confirmLabel={t('verb.reset')}
        busyLabel={t('page.resetting')}
        danger={false}
        busy={busy}
        onConfirm={() =>
          fetcher.submit({ intent: 'reset', name: name ?? '' }, { method: 'post', action: '?index' })
        }
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}

/** Returns the value before its last change. */
function usePrevious(value: boolean): boolean {
  const [pair, setPair] = useState({ now: value, was: value });
  if (pair.now !== value) setPair({ now: value, was: pair.now });
  return pair.now === value ? pair.was : pair.now;
}
