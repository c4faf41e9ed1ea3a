// Posts an intent to the page's action, and shows in a toast what came of it.
import { useFetcher } from '@remix-run/react';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import { useEffect } from 'react';
import { useProblemToast } from '../resource/write/use-problem-toast.ts';
import { useToast } from '../ui/overlay/toast.tsx';
import { useTranslation } from '../ui/translation.tsx';

/** `confirmations` are the texts shown when the action replies that an intent is done. */
export function useIntent<Intent extends string>(
  confirmations: Readonly<Record<Intent, MessageKey>>,
  onEnd?: () => void,
) {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<{ done?: Intent }>();
  const reply = fetcher.data as { done?: Intent } | undefined;
  useProblemToast(reply, onEnd);
  useEffect(() => {
    if (!reply?.done || fetcher.state !== 'idle') return;
    toast.success(t(confirmations[reply.done]));
    onEnd?.();
    // Only a new reply is shown.
  }, [reply, fetcher.state]);
  return {
    isBusy: fetcher.state !== 'idle',
    post: (intent: Intent, fields: Record<string, string> = {}) =>
      fetcher.submit({ intent, ...fields }, { method: 'post' }),
  };
}
