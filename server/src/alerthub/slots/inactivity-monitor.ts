// Monitors receive slots for silence: stores when each expects its next message, and reports once when it is
// overdue and once when messages resume.
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields, type Log } from '../../common/log.ts';
import { clockToleranceMs } from '../../common/time/clock-tolerance.ts';
import type { Change, ChangeBus } from '../../db/change-bus.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { toStoreJson } from '../../db/store-json.ts';
import { tryAdvisoryLock } from '../../jobs/advisory-lock.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { runIsolatingFaults } from '../../jobs/poison-row-guard.ts';
import { createSilenceNotices } from '../notices/silence-notices.ts';
import { unexpectedErrorReason } from '../notices/unexpected-error-reason.ts';
import { baselineWeeks, expectNextArrival, type HourlyCount } from './arrival-baseline.ts';

export interface SilenceMonitorDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Returns the public origin of a space. */
  originOf(spaceId: string): string;
}

const pollIntervalMs = 30_000;
const failureMessage = 'receive slots could not be watched, will be tried again';
/**
 * After a longer time without any running server, messages could not be received and silence counts from now.
 */
const maxAbsenceMs = 120_000;
const hourMs = 3_600_000;
const countWindowMs = (baselineWeeks + 1) * 168 * hourMs;
/** Slots whose counts are read per query. */
const maxSlotsPerQuery = 50;
/** Seed of the advisory lock under which one replica at a time checks. */
const lockSeed = '7810774121093153902';

/** A slot with its stored watch; the fields from `settings` on are null if there is none. */
interface WatchedSlotRow {
  receive_slot_id: string;
  space_id: string;
  disabled: boolean;
  heartbeat: number | null;
  habit: boolean;
  last_at: string | null;
  settings: string | null;
  watched_from: string | null;
  seen_at: string | null;
  state: string;
  expected_by: string | null;
  reason: Reason;
  computed_at: string | null;
  tell: 'overdue' | 'returned' | null;
  told_at: string | null;
}

interface SlotWatch {
  receiveSlotId: string;
  spaceId: string;
  settings: string;
  watchedFrom: string;
  seenAt: string | null;
  state: string;
  expectedBy: string | null;
  reason: Reason;
  computedAt: string;
  tell: WatchedSlotRow['tell'];
}

export class InactivityMonitor {
  private readonly deps: SilenceMonitorDeps;
  private readonly job: PeriodicJob;

  constructor(deps: SilenceMonitorDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.job = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failureMessage,
      work: () => this.work(),
    });
    deps.changes.listen((list) => {
      if (list.some(({ resource, state }) => resource === 'receive-slot' && !state)) void this.runNow();
    });
  }

  start(): void {
    this.job.start();
  }

  /** Checks every slot now. */
  runNow(): Promise<void> {
    return this.job.runNow();
  }

  close(): Promise<void> {
    return this.job.close();
  }

  private async work(): Promise<void> {
    const { database, clock, changes } = this.deps;
    const moved: SlotWatch[] = [];
    const run = await database.transaction(async (tx) => {
      if (!(await tryAdvisoryLock(database, tx, lockSeed))) return undefined;
      // Read after the lock is acquired, which may take a while.
      const now = clock.now();
      return { now, absent: await this.wasServerDown(tx, now), ids: await slotsToWatch(tx) };
    });
    if (!run) return;
    const { now, absent } = run;
    await runIsolatingFaults(
      run.ids,
      async (ids) => {
        moved.push(...(await this.evaluateSlots(ids, now, absent)));
      },
      (id, error) => this.reportFailedSlot(id, error),
    );
    await database.transaction(async (tx) => {
      if (await tryAdvisoryLock(database, tx, lockSeed)) await createSilenceNotices(tx, this.deps);
    });
    const at = isoTime(now);
    changes.publish(
      moved.map(
        ({ spaceId, receiveSlotId }): Change => ({
          spaceId,
          resource: 'receive-slot',
          id: receiveSlotId,
          op: 'update',
          at,
          state: true,
        }),
      ),
    );
  }

  /** Evaluates some slots; returns those whose state has changed. */
  private evaluateSlots(ids: readonly string[], now: number, wasServerDown: boolean): Promise<SlotWatch[]> {
    const { database } = this.deps;
    return database.transaction(async (tx) => {
      if (!(await tryAdvisoryLock(database, tx, lockSeed))) return [];
      const rows = await readSlots(tx, ids, now);
      const before = rows.map((row) => startWatch(row, now, wasServerDown));
      const expected = await loadExpectations(tx, rows, before, now);
      const after = before.map((watch, index) => evaluateWatch(watch, rows[index]!, expected[index], now));
      await storeWatches(
        tx,
        after.filter((watch, index) => hasChanged(watch, rows[index]!)),
      );
      return after.filter((watch, index) => watch.state !== rows[index]!.state);
    });
  }

  /** Reports a slot that cannot be evaluated, unless an unsent report exists. */
  private async reportFailedSlot(slotId: string, error: unknown): Promise<void> {
    const { database, clock, nextId, log } = this.deps;
    const message = 'a receive slot could not be watched';
    log({ level: 'error', message, receiveSlotId: slotId, ...errorFields(error) });
    await database.query(
      `insert into trouble (trouble_id, space_id, kind, subject_id, reason, created_at)
       select $1, r.space_id, 'slot', r.id, $3, $4 from resource r where r.kind = 'receive-slot' and r.id = $2
         and not exists (select 1 from trouble t where t.space_id = r.space_id and t.subject_id = r.id and t.noticed_at is null)`,
      [nextId(), slotId, toStoreJson(unexpectedErrorReason(error)), isoTime(clock.now())],
    );
  }

  /** Whether no server was able to receive messages until just now: it was stopped, suspended or without a database. */
  private async wasServerDown(tx: Transaction, now: number): Promise<boolean> {
    const { rows } = await tx.query<{ looked_at: string }>('select looked_at from slot_watch_look');
    await tx.query(
      'insert into slot_watch_look (looked_at) values ($1) on conflict (sole) do update set looked_at = excluded.looked_at',
      [isoTime(now)],
    );
    const last = rows[0]?.looked_at;
    return last !== undefined && now - Date.parse(last) > maxAbsenceMs;
  }
}

/** Ids of all slots, in a stable order. */
async function slotsToWatch(tx: Transaction): Promise<string[]> {
  await tx.query(
    `delete from slot_watch w where not exists
       (select 1 from resource r where r.space_id = w.space_id and r.kind = 'receive-slot' and r.id = w.receive_slot_id)`,
  );
  const { rows } = await tx.query<{ id: string }>(
    "select id from resource where kind = 'receive-slot' order by id",
  );
  return rows.map(({ id }) => id);
}

/** A message with a time still to come arrived while the clock was ahead; silence would only count from then. */
async function readSlots(tx: Transaction, ids: readonly string[], now: number): Promise<WatchedSlotRow[]> {
  const watched = {
    name: 'watched-slots',
    text: `select r.id as receive_slot_id, r.space_id, (r.body->>'disabled')::boolean as disabled,
             (r.body->>'heartbeatInterval')::int as heartbeat, (r.body->>'watchHabit')::boolean as habit,
             last.received_at as last_at, w.settings, w.watched_from, w.seen_at, w.state, w.expected_by, w.reason,
             w.computed_at, w.tell, w.told_at
           from resource r
           left join slot_watch w on w.receive_slot_id = r.id
           left join lateral (select m.received_at from message m where m.receive_slot_id = r.id and m.received_at <= $2
             order by m.received_at desc, m.message_id desc limit 1) last on true
           where r.kind = 'receive-slot' and r.id = any($1::uuid[])`,
  };
  const { rows } = await tx.query<WatchedSlotRow>(watched, [ids, isoTime(now + clockToleranceMs)]);
  return rows;
}

/** Returns the watch of a slot before evaluation; changed settings reset it. */
function startWatch(row: WatchedSlotRow, now: number, wasServerDown: boolean): SlotWatch {
  const settings = JSON.stringify([row.disabled, row.heartbeat, row.habit]);
  const isAhead = (at: string | null) => at !== null && Date.parse(at) > now + clockToleranceMs;
  // A watch that began while the clock was ahead begins anew.
  const fresh = row.settings !== settings || isAhead(row.watched_from);
  const seen = [row.seen_at, row.last_at]
    .filter((at) => at !== null)
    .filter((at) => !isAhead(at))
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    receiveSlotId: row.receive_slot_id,
    spaceId: row.space_id,
    settings,
    watchedFrom: fresh || (wasServerDown && row.state !== 'overdue') ? isoTime(now) : row.watched_from!,
    seenAt: seen.at(-1) ?? null,
    state: fresh ? 'learning' : row.state,
    expectedBy: fresh ? null : row.expected_by,
    reason: fresh ? { word: 'watch.learning' } : row.reason,
    computedAt: fresh ? isoTime(0) : row.computed_at!,
    tell: fresh ? null : row.tell,
  };
}

/** Time from which silence counts. */
function silenceStart({ seenAt, watchedFrom }: SlotWatch): number {
  return Math.max(seenAt ? Date.parse(seenAt) : 0, Date.parse(watchedFrom));
}

const hourOf = (at: number) => Math.floor(at / hourMs);

/** Predictions for the slots whose counts may give a new result; undefined for the others. */
async function loadExpectations(
  tx: Transaction,
  rows: readonly WatchedSlotRow[],
  watches: readonly SlotWatch[],
  now: number,
) {
  const wanted = watches.filter((watch, index) => {
    const row = rows[index]!;
    if (row.disabled || row.heartbeat !== null || !row.habit) return false;
    const known = row.settings === watch.settings && row.watched_from === watch.watchedFrom;
    if (!known || row.computed_at === null) return true;
    const last = Math.max(row.seen_at ? Date.parse(row.seen_at) : 0, Date.parse(row.watched_from!));
    if (hourOf(silenceStart(watch)) !== hourOf(last)) return true;
    return watch.expectedBy === null && hourOf(Date.parse(watch.computedAt)) !== hourOf(now);
  });
  const hours = new Map<string, HourlyCount[]>();
  for (let from = 0; from < wanted.length; from += maxSlotsPerQuery) {
    const ids = wanted.slice(from, from + maxSlotsPerQuery).map((watch) => watch.receiveSlotId);
    const { rows: counted } = await tx.query<{ id: string; hour: string; received: number }>(
      {
        name: 'slot-hours',
        text: `select receive_slot_id as id, hour, received from message_count
               where receive_slot_id = any($1::uuid[]) and hour > $2`,
      },
      [ids, isoTime(now - countWindowMs)],
    );
    for (const { id, hour: at, received } of counted) {
      const list = hours.get(id) ?? [];
      list.push({ at: Date.parse(at), received });
      hours.set(id, list);
    }
  }
  const requestedWatches = new Set(wanted);
  return watches.map((watch) =>
    requestedWatches.has(watch)
      ? expectNextArrival(hours.get(watch.receiveSlotId) ?? [], silenceStart(watch))
      : undefined,
  );
}

/**
 * Returns the updated watch. An overdue slot stays overdue until a message arrives or the settings change.
 */
function evaluateWatch(
  watch: SlotWatch,
  row: WatchedSlotRow,
  expectation: ReturnType<typeof expectNextArrival> | undefined,
  now: number,
): SlotWatch {
  if (row.disabled || (row.heartbeat === null && !row.habit)) {
    return {
      ...watch,
      state: 'unwatched',
      expectedBy: null,
      reason: { word: 'watch.unwatched' },
      tell: null,
    };
  }
  const wasOverdue = watch.state === 'overdue';
  if (wasOverdue && watch.seenAt === row.seen_at) return watch;
  const next = withExpectation(watch, row, expectation, now);
  const isOverdue = next.expectedBy !== null && Date.parse(next.expectedBy) <= now;
  const state = isOverdue ? 'overdue' : next.state;
  return { ...next, state, tell: pendingNotice(watch.tell, wasOverdue, isOverdue) };
}

function withExpectation(
  watch: SlotWatch,
  { heartbeat }: WatchedSlotRow,
  expectation: ReturnType<typeof expectNextArrival> | undefined,
  now: number,
): SlotWatch {
  if (heartbeat !== null) {
    const expectedBy = isoTime(silenceStart(watch) + heartbeat * 1000);
    const reason = { word: 'watch.heartbeat', params: { interval: heartbeat } };
    return { ...watch, state: 'expected', expectedBy, reason };
  }
  if (!expectation) return watch;
  const { state, expectedBy, reason } = expectation;
  const by = expectedBy === null ? null : isoTime(expectedBy);
  return { ...watch, state, expectedBy: by, reason, computedAt: isoTime(now) };
}

/**
 * No mail is sent for an outage that ended before its alert, and a new outage before the recovery mail
 * continues the old one.
 */
function pendingNotice(
  tell: WatchedSlotRow['tell'],
  wasOverdue: boolean,
  isOverdue: boolean,
): WatchedSlotRow['tell'] {
  if (wasOverdue === isOverdue) return tell;
  if (isOverdue) return tell === 'returned' ? null : 'overdue';
  return tell === 'overdue' ? null : 'returned';
}

/**
 * Whether the watch must be stored. The time of the last message is compared by the hour, and exactly while
 * overdue.
 */
function hasChanged(watch: SlotWatch, row: WatchedSlotRow): boolean {
  const hours = (at: string | null) => (at === null ? null : hourOf(Date.parse(at)));
  return (
    row.settings !== watch.settings ||
    row.watched_from !== watch.watchedFrom ||
    row.state !== watch.state ||
    row.expected_by !== watch.expectedBy ||
    row.tell !== watch.tell ||
    row.computed_at !== watch.computedAt ||
    hours(row.seen_at) !== hours(watch.seenAt) ||
    (watch.state === 'overdue' && row.seen_at !== watch.seenAt)
  );
}

async function storeWatches(tx: Transaction, watches: readonly SlotWatch[]): Promise<void> {
  if (watches.length === 0) return;
  await tx.query(
    `insert into slot_watch (receive_slot_id, space_id, settings, watched_from, seen_at, state, expected_by, reason,
       computed_at, tell)
     select x."receiveSlotId", x."spaceId", x.settings, x."watchedFrom", x."seenAt", x.state, x."expectedBy", x.reason,
       x."computedAt", x.tell
     from jsonb_to_recordset($1::jsonb) as x("receiveSlotId" uuid, "spaceId" uuid, settings text,
       "watchedFrom" timestamptz, "seenAt" timestamptz, state text, "expectedBy" timestamptz, reason jsonb,
       "computedAt" timestamptz, tell text)
     on conflict (receive_slot_id) do update set settings = excluded.settings, watched_from = excluded.watched_from,
       seen_at = excluded.seen_at, state = excluded.state, expected_by = excluded.expected_by, reason = excluded.reason,
       computed_at = excluded.computed_at, tell = excluded.tell`,
    [JSON.stringify(watches)],
  );
}
