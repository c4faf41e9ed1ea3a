// Buttons of a running scan: pause, resume and abort.
import { useFetcher } from '@remix-run/react';
import { useEffect } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/overlay/toast.tsx';
import { useTranslation } from '../ui/translation.tsx';

const confirmations = {
  pause: 'sonar.scan.pausing',
  resume: 'sonar.scan.resuming',
  abort: 'sonar.scan.aborting',
} as const;
export type ScanIntent = keyof typeof confirmations;

export function isScanIntent(intent: string): intent is ScanIntent {
  return Object.hasOwn(confirmations, intent);
}

export function ScanControls({ intents }: { intents: readonly ScanIntent[] }) {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<{ done?: ScanIntent }>();
  useProblemToast(fetcher.data);
  const done = fetcher.data?.done;
  useEffect(() => {
    if (done && fetcher.state === 'idle') toast.success(t(confirmations[done]));
  }, [done, fetcher.state, toast, t]);
  return intents.map((intent) => (
    <Button
      key={intent}
      variant={intent === 'abort' ? 'danger' : undefined}
      disabled={fetcher.state !== 'idle'}
      onClick={() => fetcher.submit({ intent }, { method: 'post' })}
    >
      {t(`sonar.scan.${intent}`)}
    </Button>
  ));
}
