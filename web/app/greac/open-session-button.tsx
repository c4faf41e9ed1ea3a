// Button that opens a session at a destination and goes to its page.
import { useFetcher } from '@remix-run/react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { Button } from '../ui/button.tsx';
import { useTranslation } from '../ui/translation.tsx';

export function OpenSessionButton(props: {
  destinationId: string;
  /** Initial remarks of the session. */
  remarks?: string | undefined;
  /** The message that it is opened for. */
  messageId?: string | undefined;
  label?: string;
}) {
  const { t } = useTranslation();
  const fetcher = useFetcher();
  useProblemToast(fetcher.data);
  return (
    <Button
      variant="primary"
      busy={fetcher.state !== 'idle'}
      onClick={() =>
        fetcher.submit(
          {
            destinationId: props.destinationId,
            remarks: props.remarks ?? '',
            messageId: props.messageId ?? '',
          },
          { method: 'post', action: '/apps/greac/connect' },
        )
      }
    >
      {props.label ?? t('greac.connect')}
    </Button>
  );
}
