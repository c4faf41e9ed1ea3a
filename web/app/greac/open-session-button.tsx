// Button that opens a session at a destination and goes to its page.
import { useFetcher } from '@remix-run/react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function OpenSessionButton({ destinationId }: { destinationId: string }) {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  return (
    <Button
      variant="primary"
      busy={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ destinationId }, { method: 'post', action: '/apps/greac/connect' })}
    >
      {t('greac.connect')}
    </Button>
  );
}
