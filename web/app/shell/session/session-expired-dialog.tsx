// Tells the user that the session expired during input, or that another user has signed in, and resends the request after
// the next sign-in.
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
  const [cause, setCause] = useState<'signed-out' | 'other-user'>('signed-out');
  useEffect(
    () =>
      onBlockedRequest((retry, isOtherUser) => {
        setBlockedRequests((others) => [...others, retry]);
        setCause(isOtherUser ? 'other-user' : 'signed-out');
      }),
    [],
  );
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
      title={t(`shell.${cause}`)}
      footer={
        <>
          <Button onClick={retryAll}>{t('shell.send-again')}</Button>
          {cause === 'other-user' && <Button onClick={() => location.reload()}>{t('verb.reload')}</Button>}
          <LinkButton variant="primary" to={pathname + search} target="_blank">
            {t(`shell.${cause}-tab`)}
          </LinkButton>
        </>
      }
    >
      {t(`shell.${cause}-text`)}
    </Dialog>
  );
}
