// Stores what an agent reports about a running scan.
import type { AgentMessage } from '@yagura/core/ksocket/agent-protocol';
import type { Queryable } from '../db/database.ts';

export type ScanProgress = Omit<Extract<AgentMessage, { type: 'progress' }>, 'type' | 'snapshotId'>;

/** Assignments that clear what only a running scan has. */
export const noProgress = 'phase = null, per_second = null, seconds_left = null, paused = false';

/**
 * Marks the scan as started and heard of; without a progress, its numbers stay. True when it was not started
 * before.
 */
export async function storeProgress(
  tx: Queryable,
  snapshotId: string,
  progress: ScanProgress | null,
  now: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ was: string }>(
    `update snapshot s set status = 'started', started_at = coalesce(s.started_at, $2), heard_at = $2, updated_at = $2,
       probed = coalesce($3, s.probed), to_probe = coalesce($4, s.to_probe), found = coalesce($5, s.found),
       phase = case when $9 then $6 else s.phase end, per_second = case when $9 then $7 else s.per_second end,
       seconds_left = case when $9 then $8 else s.seconds_left end, paused = coalesce($10, s.paused)
     from (select snapshot_id, status as was from snapshot where snapshot_id = $1 for update) b
     where s.snapshot_id = b.snapshot_id and b.was in ('requested', 'started') returning b.was`,
    [
      snapshotId,
      now,
      progress?.probed ?? null,
      progress?.toProbe ?? null,
      progress?.found ?? null,
      progress?.phase ?? null,
      progress?.perSecond ?? null,
      progress?.secondsLeft ?? null,
      progress !== null,
      progress ? (progress.paused ?? false) : null,
    ],
  );
  return rows[0]?.was === 'requested';
}
