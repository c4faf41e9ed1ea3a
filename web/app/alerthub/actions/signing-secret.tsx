// Shows on request the secret with which receivers verify an action's webhooks, until the page is left, and
// renews it.
import { useFetcher } from '@remix-run/react';
import { useState } from 'react';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { CopyButton } from '../../ui/text/copy-id.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export function SigningSecret() {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ secret: string } | { problem: unknown }>();
  const [isConfirming, setIsConfirming] = useState(false);
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const secret = fetcher.data && 'secret' in fetcher.data ? fetcher.data.secret : undefined;
  const busy = fetcher.state !== 'idle';
  const submitIntent = (intent: string) => fetcher.submit({ intent }, { method: 'post' });
  return (
    <Panel title={t('signing.title')} padded>
      <p className="text-sm text-muted">{t('signing.about')}</p>
      {secret && (
        <div className="mt-3 flex items-center gap-2 rounded-md border border-line bg-surface-sunken px-3 py-2">
          <code data-secret className="min-w-0 flex-1 font-mono text-sm break-all">
            {secret}
          </code>
          <CopyButton text={secret} label={t('verb.copy')} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {!secret && (
          <Button busy={busy && !isConfirming} onClick={() => submitIntent('show-secret')}>
            {t('signing.show')}
          </Button>
        )}
        <Button onClick={() => setIsConfirming(true)}>{t('signing.renew')}</Button>
      </div>
      <ConfirmDialog
        open={isConfirming}
        title={t('signing.renew-title')}
        text={t('signing.renew-text')}
        confirmLabel={t('signing.renew')}
        busyLabel={t('signing.renew')}
        busy={busy}
        onConfirm={() => {
          submitIntent('renew-secret');
          setIsConfirming(false);
        }}
        onCancel={() => setIsConfirming(false)}
      />
    </Panel>
  );
}
