// The secret by which receivers check an action's webhooks: shown when asked for, until the page is left, and made anew.
import { useFetcher } from '@remix-run/react';
import { useState } from 'react';
import { useRefusalToast } from '../resource/use-refusal-toast.ts';
import { Panel } from '../shell/panel.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-id.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { useTranslation } from '../ui/words.tsx';

export function SigningSecret() {
  const { t } = useTranslation();
  const fetcher = useFetcher<{ secret: string } | { problem: unknown }>();
  const [asking, setAsking] = useState(false);
  useRefusalToast(fetcher.data, () => setAsking(false));
  const secret = fetcher.data && 'secret' in fetcher.data ? fetcher.data.secret : undefined;
  const busy = fetcher.state !== 'idle';
  const ask = (intent: string) => fetcher.submit({ intent }, { method: 'post' });
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
          <Button busy={busy && !asking} onClick={() => ask('show-secret')}>
            {t('signing.show')}
          </Button>
        )}
        <Button onClick={() => setAsking(true)}>{t('signing.renew')}</Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t('signing.renew-title')}
        text={t('signing.renew-text')}
        confirmLabel={t('signing.renew')}
        busyLabel={t('signing.renew')}
        busy={busy}
        onConfirm={() => {
          ask('renew-secret');
          setAsking(false);
        }}
        onCancel={() => setAsking(false)}
      />
    </Panel>
  );
}
