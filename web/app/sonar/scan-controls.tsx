// Buttons of a running scan: pause, resume and abort.
import { Button } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';
import { useIntent } from './use-intent.ts';

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
  const { isBusy, post } = useIntent(confirmations);
  return intents.map((intent) => (
    <Button
      key={intent}
      variant={intent === 'abort' ? 'danger' : undefined}
      disabled={isBusy}
      onClick={() => post(intent)}
    >
      {t(`sonar.scan.${intent}`)}
    </Button>
  ));
}
