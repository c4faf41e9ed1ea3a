// Button that ends a session for all participants after a confirmation; `force` is for administrators.
import { useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/overlay/dialog.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function EndSessionButton({ force = false }: { force?: boolean }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<{ done?: string }>();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  useEffect(() => {
    if (fetcher.data?.done) setIsConfirming(false);
  }, [fetcher.data]);
  const label = t(force ? 'greac.force-close' : 'greac.end');
  return (
    <>
      <Button variant="danger" onClick={() => setIsConfirming(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title={t('greac.end-title')}
        text={t('greac.end-text')}
        confirmLabel={label}
        busyLabel={t('greac.ending')}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent: force ? 'close-force' : 'close' }, { method: 'post' })}
        onCancel={() => setIsConfirming(false)}
      />
    </>
  );
}
