// Posts a decision about a node.
import { useIntent } from '../use-intent.ts';

const confirmations = {
  merge: 'sonar.merge.done',
  split: 'sonar.split.done',
  undo: 'sonar.undo.done',
} as const;

export function useDecision(intent: keyof typeof confirmations, onEnd?: () => void) {
  const { isBusy, post } = useIntent(confirmations, onEnd);
  return { isBusy, post: (id: string) => post(intent, { id }) };
}
