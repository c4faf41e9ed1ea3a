// Tells a refused write in a toast.
import { problemText } from '@yagura/core/format/problem-text';
import { useEffect, useRef } from 'react';
import { useToast } from '../ui/toast.tsx';
import { useTranslation } from '../ui/words.tsx';
import type { Refusal } from './write.server.ts';

/** Shows every new refusal once, in the words of its kind, and calls `onRefused`. */
export function useRefusalToast(data: unknown, onRefused?: () => void): void {
  const toast = useToast();
  const tell = useRefusalText();
  const told = useRef<unknown>(undefined);
  useEffect(() => {
    const refusal = asRefusal(data);
    if (!refusal || told.current === refusal) return;
    told.current = refusal;
    toast.error(tell(refusal));
    onRefused?.();
  });
}

/** One line for a refusal: what its kind means, and the server's own detail. */
export function useRefusalText(): (refusal: Refusal) => string {
  const { t } = useTranslation();
  return ({ problem }) => {
    const word = t(`problem.${problem.kind}`);
    if (word === `problem.${problem.kind}`) return problemText(problem);
    return problem.detail ? `${word}: ${problem.detail}` : word;
  };
}

export function asRefusal(data: unknown): Refusal | undefined {
  return typeof data === 'object' && data !== null && 'problem' in data ? (data as Refusal) : undefined;
}
