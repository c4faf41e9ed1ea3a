// Ends a session for everybody after asking; `force` is the administrator's way.
import { useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useRefusalToast } from '../resource/use-refusal-toast.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { useTranslation } from '../ui/words.tsx';

export function EndButton({ force = false }: { force?: boolean }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const fetcher = useFetcher<{ done?: string }>();
  useRefusalToast(fetcher.data, () => setAsking(false));
  useEffect(() => {
    if (fetcher.data?.done) setAsking(false);
  }, [fetcher.data]);
  const label = t(force ? 'greac.force-close' : 'greac.end');
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('greac.end-title')}
        text={t('greac.end-text')}
        confirmLabel={label}
        busyLabel={t('greac.ending')}
        busy={fetcher.state !== 'idle'}
        onConfirm={() => fetcher.submit({ intent: force ? 'close-force' : 'close' }, { method: 'post' })}
        onCancel={() => setAsking(false)}
      />
    </>
  );
}
