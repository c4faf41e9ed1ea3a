// Button that downloads the private key of a log key after a confirmation.
import { useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/overlay/dialog.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { useTranslation } from '../ui/translation.tsx';
import type { PrivateKeyData } from './private-key.server.ts';

/** The action of the page replies with the private key. */
export function DownloadKey({ keyId }: { keyId: string }) {
  const { t } = useTranslation();
  const [isConfirming, setIsConfirming] = useState(false);
  const fetcher = useFetcher<PrivateKeyData>();
  useProblemToast(fetcher.data, () => setIsConfirming(false));
  const privateKey = fetcher.data?.privateKey;
  useEffect(() => {
    if (!privateKey) return;
    saveBlob(`yagura-log-key-${keyId}.txt`, new Blob([`${privateKey}\n`], { type: 'text/plain' }));
    setIsConfirming(false);
  }, [privateKey, keyId]);
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t('greac.download-key')}</Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={t('greac.download-key')}
        size="confirm"
        footer={
          <>
            <Button data-first="" onClick={() => setIsConfirming(false)}>
              {t('verb.cancel')}
            </Button>
            <Button
              variant="primary"
              busy={fetcher.state !== 'idle'}
              onClick={() => fetcher.submit({ intent: 'download', keyId }, { method: 'post' })}
            >
              {t('greac.download-key')}
            </Button>
          </>
        }
      >
        {t('greac.download-key-text')}
        {privateKey === null && (
          <p role="alert" className="mt-3 text-danger-fg">
            {t('greac.no-private-key')}
          </p>
        )}
      </Dialog>
    </>
  );
}
