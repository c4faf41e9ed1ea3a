// Counts messages by the hour in which they arrived, as they are decided.
import type { MessageDecision } from '@yagura/core/alerthub/engine/execution/decide-batch';
import { isoTime } from '../../common/clock.ts';

/** Messages of one slot that arrived within one hour of UTC. */
export interface HourCount {
  receiveSlotId: string;
  /** ISO 8601; when the hour began. */
  hour: string;
  received: number;
  matched: number;
}

const hourMs = 3_600_000;

/** What a batch of decided messages adds to the counts; `messages` and `decisions` are in the same order. */
export function countHours(
  messages: readonly { receiveSlotId: string; receivedAt: string }[],
  decisions: readonly Pick<MessageDecision, 'matched'>[],
): HourCount[] {
  const counts = new Map<string, HourCount>();
  for (const [index, { receiveSlotId, receivedAt }] of messages.entries()) {
    const arrived = Date.parse(receivedAt);
    const hour = isoTime(arrived - (arrived % hourMs));
    const key = `${receiveSlotId} ${hour}`;
    const count = counts.get(key) ?? { receiveSlotId, hour, received: 0, matched: 0 };
    count.received += 1;
    if (decisions[index]!.matched > 0) count.matched += 1;
    counts.set(key, count);
  }
  return [...counts.values()];
}
