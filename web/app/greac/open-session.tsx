// Opens a session at a destination and goes to its screen.
import { useFetcher } from '@remix-run/react';
import { useRefusalToast } from '../resource/use-refusal-toast.ts';
import { Button } from '../ui/button.tsx';
import { useTranslation } from '../ui/words.tsx';

export function OpenSession({ destinationId }: { destinationId: string }) {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data);
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
