// Shows the problem of a rejected write in a toast, or in the dialog that asked for it.
import { problemText } from '@yagura/core/format/problem-text';
import { useEffect, useRef, useState } from 'react';
import { useToast } from '../../ui/overlay/toast.tsx';
import { useTranslation } from '../../ui/translation.tsx';
import type { ActionProblem } from './write.server.ts';

/** Shows each new problem once and calls the callback. */
export function useProblemToast(data: unknown, onProblem?: () => void): void {
  const toast = useToast();
  const formatProblem = useProblemText();
  const lastShown = useRef<unknown>(undefined);
  useEffect(() => {
    const actionProblem = toActionProblem(data);
    if (!actionProblem || lastShown.current === actionProblem) return;
    lastShown.current = actionProblem;
    toast.error(formatProblem(actionProblem));
    onProblem?.();
  });
}

/**
 * Returns the problem of a dialog's operation as text, for as long as the dialog is open: `forget` is called
 * when it closes.
 */
export function useDialogProblem(data: unknown): { error: string | undefined; forget: () => void } {
  const formatProblem = useProblemText();
  const [forgotten, setForgotten] = useState<ActionProblem>();
  const actionProblem = toActionProblem(data);
  return {
    error: actionProblem && actionProblem !== forgotten ? formatProblem(actionProblem) : undefined,
    forget: () => setForgotten(actionProblem),
  };
}

/** Returns a function that formats a rejection in one line: the text of its kind and the server's detail. */
export function useProblemText(): (actionProblem: Pick<ActionProblem, 'problem'>) => string {
  const { t } = useTranslation();
  return ({ problem }) => {
    const word = t(`problem.${problem.kind}`);
    if (word === `problem.${problem.kind}`) return problemText(problem);
    return problem.detail ? `${word}: ${problem.detail}` : word;
  };
}

export function toActionProblem(data: unknown): ActionProblem | undefined {
  return typeof data === 'object' && data !== null && 'problem' in data ? (data as ActionProblem) : undefined;
}
