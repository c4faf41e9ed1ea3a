// Counts evaluated messages by the hour in which they were received.
import type { MessageDecision } from '@yagura/core/alerthub/engine/execution/decide-batch';
import { isoTime } from '../../../common/clock.ts';

/** Messages of one slot received within one UTC hour. */
export interface HourCount {
  receiveSlotId: string;
  /** Start of the hour (ISO 8601). */
  hour: string;
  received: number;
  matched: number;
}

const hourMs = 3_600_000;

/** Counts of a batch of evaluated messages; `messages` and `decisions` have the same order. */
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
