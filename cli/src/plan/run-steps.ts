// Runs the steps of a plan several at a time, in the order in which items depend on each other.
import { emailActionSenderSetting } from '@yagura/core/alerthub/email-action-sender-setting';
import { getOrCreate } from '@yagura/core/plan/get-or-create';
import type { PlanStep } from '@yagura/core/plan/make-plan';

/** Steps that run at the same time. */
const maxParallel = 10;

/**
 * Steps of one kind run together, since items refer to other kinds only: first what it creates, then its updates. Those with
 * the same parent or the same name run one after another, as their order is that of the items; so do email senders, of
 * which the oldest is tried first. After a failure no step starts, the running ones end, and the first error is thrown.
 */
export async function runSteps(
  steps: readonly PlanStep[],
  signal: AbortSignal,
  run: (step: PlanStep) => Promise<void>,
): Promise<void> {
  for (const group of groupsOf(steps, ({ kind, operation }) => `${operation === 'delete'} ${kind}`))
    for (const part of groupsOf(group, ({ operation }) => operation)) {
      const chains = groupsOf(part, ({ kind, parents, name }) =>
        JSON.stringify(parents.length > 0 || kind === emailActionSenderSetting.name ? parents : [name]),
      );
      await runChains(chains, signal, run);
    }
}

async function runChains(
  chains: readonly (readonly PlanStep[])[],
  signal: AbortSignal,
  run: (step: PlanStep) => Promise<void>,
): Promise<void> {
  let next = 0;
  const errors: unknown[] = [];
  const work = async () => {
    while (next < chains.length) {
      const chain = chains[next]!;
      next += 1;
      for (const step of chain) {
        if (errors.length > 0) return;
        try {
          signal.throwIfAborted();
          await run(step);
        } catch (error) {
          errors.push(error);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, work));
  if (errors.length > 0) throw errors[0];
}

/** The steps with equal keys, in the order of the first of each. */
function groupsOf(steps: readonly PlanStep[], keyOf: (step: PlanStep) => string): PlanStep[][] {
  const groups = new Map<string, PlanStep[]>();
  for (const step of steps) getOrCreate(groups, keyOf(step), () => []).push(step);
  return [...groups.values()];
}
