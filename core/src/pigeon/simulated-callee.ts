// How an assumed callee reacts to a call, for the simulated line and for previews.
import { readingPlan } from './call-constants.ts';

const plainReactions = ['noAnswer', 'noInput', 'busy', 'unreachable', 'hangsUp'] as const;

/** `key` is pressed during the first reading of the given round. */
export type SimulatedCallee =
  | { kind: 'key'; key: string; round: number }
  | { kind: (typeof plainReactions)[number] };

/**
 * Parses a reaction: `key:1` to `key:9` in the first round, `key:1:2` in the second one, `noAnswer`, `noInput`,
 * `busy`, `unreachable` or `hangsUp`; null for any other text.
 */
export function parseSimulatedCallee(text: string): SimulatedCallee | null {
  const [, key, round = '1'] = /^key:([1-9])(?::([1-9]))?$/.exec(text) ?? [];
  if (key) return Number(round) > readingPlan.rounds ? null : { kind: 'key', key, round: Number(round) };
  const kind = plainReactions.find((one) => one === text);
  return kind ? { kind } : null;
}
