// Calls per day of each trunk, counted in the database: over all servers that share it, and across restarts.
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';

/** Days for which the counts are stored. */
const storedDays = 31;
const dayMs = 86_400_000;

export interface DailyLimit {
  name: string;
  callsPerDay: number;
}

/** The day in UTC. */
const dayOf = (now: number) => isoTime(now).slice(0, 10);

/** Counts a call on each of the trunks; returns the names of those that have not reached their limit. */
export async function reserveCalls(
  db: Queryable,
  trunks: readonly DailyLimit[],
  now: number,
): Promise<Set<string>> {
  const { rows } = await db.query<{ trunk: string }>(
    `insert into pigeon_trunk_usage (trunk, day, calls)
     select name, $2, 1 from jsonb_to_recordset($1::jsonb) as t(name text, "callsPerDay" int) order by name
     on conflict (trunk, day) do update set calls = pigeon_trunk_usage.calls + 1
     where pigeon_trunk_usage.calls < (
       select "callsPerDay" from jsonb_to_recordset($1::jsonb) as t(name text, "callsPerDay" int)
       where name = excluded.trunk)
     returning trunk`,
    [JSON.stringify(trunks), dayOf(now)],
  );
  return new Set(rows.map(({ trunk }) => trunk));
}

/** Takes back what was counted for trunks that did not get the call. */
export async function releaseCalls(
  db: Queryable,
  trunks: readonly string[],
  reservedAt: number,
): Promise<void> {
  if (trunks.length === 0) return;
  await db.query(
    'update pigeon_trunk_usage set calls = greatest(calls - 1, 0) where trunk = any($1::text[]) and day = $2',
    [trunks, dayOf(reservedAt)],
  );
}

export async function deleteOldUsage(db: Queryable, now: number): Promise<void> {
  await db.query('delete from pigeon_trunk_usage where day < $1', [dayOf(now - storedDays * dayMs)]);
}
