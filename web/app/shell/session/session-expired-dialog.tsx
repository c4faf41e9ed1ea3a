// Tells the user that the session expired during input, and resends the request after the next sign-in.
import { useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { onBlockedRequest } from '../../signin/browser/watch-session.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { useTranslation } from '../../ui/translation.tsx';

export function SessionExpiredDialog() {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const [blockedRequests, setBlockedRequests] = useState<(() => void)[]>([]);
  useEffect(() => onBlockedRequest((retry) => setBlockedRequests((others) => [...others, retry])), []);
  const retryAll = () => {
    setBlockedRequests([]);
    for (const retry of blockedRequests) retry();
  };
  // Returning from the sign-in tab triggers the resend.
  useEffect(() => {
    if (blockedRequests.length === 0) return;
    window.addEventListener('focus', retryAll);
    return () => window.removeEventListener('focus', retryAll);
  });
  return (
    <Dialog
      open={blockedRequests.length > 0}
      onClose={retryAll}
      title={t('shell.signed-out')}
      footer={
        <>
          <Button onClick={retryAll}>{t('shell.send-again')}</Button>
          <LinkButton variant="primary" to={pathname + search} target="_blank">
            {t('shell.sign-in-new-tab')}
          </LinkButton>
        </>
      }
    >
      {t('shell.signed-out-text')}
    </Dialog>
  );
}
