// Says that the session has ended while something was being written, and sends it once somebody has signed in again.
import { useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useTranslation } from '../ui/words.tsx';
import { onWaiting } from './sign-in-wait.ts';

export function SignInAgain() {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const [waiting, setWaiting] = useState<(() => void)[]>([]);
  useEffect(() => onWaiting((again) => setWaiting((others) => [...others, again])), []);
  const send = () => {
    setWaiting([]);
    for (const again of waiting) again();
  };
  // Coming back from the tab of the sign-in is answer enough.
  useEffect(() => {
    if (waiting.length === 0) return;
    window.addEventListener('focus', send);
    return () => window.removeEventListener('focus', send);
  });
  return (
    <Dialog
      open={waiting.length > 0}
      onClose={send}
      title={t('shell.signed-out')}
      footer={
        <>
          <Button onClick={send}>{t('shell.send-again')}</Button>
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
