// Mute schedules: limits their number, computes their current state, and re-evaluates waiting triggers when
// they change.
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { Problem } from '@yagura/core/http/problem';
import { type Mute, muteSpanAt, upcomingMuteWindows } from '@yagura/core/schedule/mute';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import type { RequestContext } from '../../resource/request-context.ts';

/** Every schedule of a scope is evaluated for each of its events. */
const maxPerScope = 100;

export const muteScheduleBehaviour: Behaviour<typeof muteSchedule> = {
  resource: muteSchedule,
  serializedWithDecisions: 'settings',
  async afterWrite(tx, context, _id, _body, before) {
    if (!before) {
      const { rows } = await tx.query<{ count: number }>(
        `select count(*)::int as count from resource where space_id = $1 and kind = 'mute-schedule' and parent_id = $2`,
        [context.spaceId, context.params.scopeId],
      );
      if (rows[0]!.count > maxPerScope) {
        throw new Problem('conflict', { detail: context.t('mute.tooMany', { most: maxPerScope }) });
      }
    }
    await rescheduleMutedTriggers(tx, context);
  },
  afterRemove: rescheduleMutedTriggers,
  present(context, item) {
    const now = context.services.clock.now();
    const mute = item as unknown as Mute & { disabled: boolean };
    const active = mute.disabled ? undefined : muteSpanAt(mute, now);
    const next = mute.disabled ? undefined : upcomingMuteWindows(mute, now, 1)[0];
    return {
      ...item,
      activeUntil: active ? isoTime(active.end) : null,
      nextBeginAt: next ? isoTime(next.begin) : null,
    };
  },
};

/**
 * Makes triggers that wait for the end of a schedule of the scope due now; they continue to wait if the scope is still
 * muted. Any schedule counts: a trigger that was held by one may wait for the end of another that began meanwhile.
 */
async function rescheduleMutedTriggers(tx: Transaction, context: RequestContext): Promise<void> {
  await tx.query(
    `update waiting_trigger set due_at = $3 where space_id = $1 and scope_id = $2 and cause = 'mute'`,
    [context.spaceId, context.params.scopeId, isoTime(context.services.clock.now())],
  );
}
