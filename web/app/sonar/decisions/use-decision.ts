// Posts a decision about a node, and shows in a toast what came of it.
import { useFetcher } from '@remix-run/react';
import { useEffect } from 'react';
import { useProblemToast } from '../../resource/write/use-problem-toast.ts';
import { useToast } from '../../ui/overlay/toast.tsx';
import { useTranslation } from '../../ui/translation.tsx';

const confirmations = {
  merge: 'sonar.merge.done',
  split: 'sonar.split.done',
  undo: 'sonar.undo.done',
} as const;
type Intent = keyof typeof confirmations;

export function useDecision(intent: Intent, onEnd?: () => void) {
  const { t } = useTranslation();
  const toast = useToast();
  const fetcher = useFetcher<{ done?: Intent }>();
  const reply = fetcher.data;
  useProblemToast(reply, onEnd);
  useEffect(() => {
    if (!reply?.done || fetcher.state !== 'idle') return;
    toast.success(t(confirmations[reply.done]));
    onEnd?.();
    // Only a new reply is shown.
  }, [reply, fetcher.state]);
  return {
    isBusy: fetcher.state !== 'idle',
    post: (id: string) => fetcher.submit({ intent, id }, { method: 'post' }),
  };
}
