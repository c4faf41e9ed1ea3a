/**
 * Replaces a PostgreSQL server's background processes, which the embedded engine lacks: checkpoints keep the
 * write-ahead log short and restarts fast, vacuuming removes dead rows, and analyzing keeps planner
 * statistics current.
 */
import type { Clock } from '../clock.ts';
import type { Queryable, Statement } from '../database.ts';
import type { StoreLog } from '../store-log.ts';

const pollIntervalMs = 5_000;
/** Interval while tables grow or shrink fast, so that each VACUUM is short. */
const fastPollIntervalMs = 1_000;

/** Thresholds. Times in milliseconds, sizes in bytes, ages in transactions. */
export interface MaintenanceLimits {
  walBytes: number;
  checkpointIntervalMs: number;
  vacuumIntervalMs: number;
  /** A table is vacuumed once it has this many dead rows plus a fifth of its live ones. */
  deadRows: number;
  /**
   * A table with this many dead rows plus a twentieth of its live ones does not wait for the interval. What a VACUUM costs
   * for each dead row is more than what it costs for each live one, about twelve times as much.
   */
  manyDeadRows: number;
  /** A table that only grew is vacuumed once it has this many new rows, if all its indexes are B-trees. */
  insertedRows: number;
  /** A table is analyzed once it has this many changed rows plus a tenth of its live ones. */
  changedRows: number;
  /** A table older than this is frozen, long before transaction ids wrap around at 2,000,000,000. */
  freezeAge: number;
}

const defaultLimits: MaintenanceLimits = {
  walBytes: 128 * 1024 * 1024,
  checkpointIntervalMs: 60_000,
  vacuumIntervalMs: 60_000,
  deadRows: 1_000,
  manyDeadRows: 20_000,
  insertedRows: 10_000,
  changedRows: 1_000,
  freezeAge: 200_000_000,
};

export interface MaintenanceOptions {
  store: Queryable;
  /** Counter that grows with use, so that an idle database is left alone. */
  uses: () => number;
  /** Flushes files to the disk outside of the engine's thread, so that the checkpoint that follows is short. */
  flushFiles: () => Promise<unknown>;
  clock: Clock;
  log: StoreLog;
  limits?: Partial<MaintenanceLimits>;
}

/** Running maintenance. */
export interface Maintenance {
  /** Runs due maintenance now, as the timer would; resolves when done. */
  runNow(): Promise<void>;
  /** Stops the timer and waits for a running job. */
  stop(): Promise<void>;
}

const walState = {
  name: 'maintenance_wal',
  text: `SELECT pg_current_wal_insert_lsn()::text AS position,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`,
};

const tablesToVacuum = {
  name: 'maintenance_tables',
  text: `SELECT format('%I.%I', s.schemaname, s.relname) AS table,
      s.n_dead_tup >= $1 + 0.2 * s.n_live_tup OR s.n_ins_since_vacuum >= 100000 + 0.2 * s.n_live_tup AS vacuum,
      age(c.relfrozenxid) >= $3 OR mxid_age(c.relminmxid) >= $3 AS freeze
    FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE c.relkind IN ('r', 'm') AND s.relname <> 'pg_statistic' AND c.relpersistence <> 't'
      AND (s.n_dead_tup >= $1 + 0.2 * s.n_live_tup OR s.n_ins_since_vacuum >= 100000 + 0.2 * s.n_live_tup
        OR s.n_mod_since_analyze >= $2 + 0.1 * s.n_live_tup
        OR age(c.relfrozenxid) >= $3 OR mxid_age(c.relminmxid) >= $3)
    ORDER BY s.n_dead_tup DESC, age(c.relfrozenxid) DESC, s.relid LIMIT 20`,
};

/**
 * Tables at least twice as large as their statistics say: plans made for the small table are kept until there
 * are new statistics, and scan it completely. A table rarely doubles, so these do not wait for the one-minute
 * interval. They grow while much else is going on, so the statistics are taken from a third of the usual rows.
 */
const tablesToAnalyze = {
  name: 'maintenance_outgrown',
  text: `SELECT format('%I.%I', s.schemaname, s.relname) AS table
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND s.n_mod_since_analyze >= $1
      AND pg_relation_size(c.oid) >= 2 * (c.relpages + 8) * current_setting('block_size')::bigint
    ORDER BY s.relid`,
};

/**
 * Tables that do not wait for the one-minute interval, because everything else waits while a VACUUM runs.
 * - Those that have grown without many dead rows: VACUUM marks their new pages as visible to all, which takes 1.5 s for the
 *   400,000 messages of a minute, but less than a tenth of that for those of a few seconds, whose pages are still in the
 *   engine's memory. It reads GIN indexes completely, and B-trees only when there are enough dead rows.
 * - Those that lose many rows, as by retention: 12 s for 1,700,000 messages at once. Queues, which lose what they have just
 *   got, wait for the interval, because they stay small.
 */
const tablesToVacuumSoon = {
  name: 'maintenance_soon',
  text: `SELECT format('%I.%I', s.schemaname, s.relname) AS table
    FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't'
      AND (s.n_dead_tup >= $3 + 0.05 * s.n_live_tup AND s.n_ins_since_vacuum < 0.5 * s.n_dead_tup
        OR s.n_ins_since_vacuum >= $1 AND s.n_dead_tup < $2 + 0.01 * s.n_live_tup
          AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam
            WHERE i.indrelid = s.relid AND a.amname <> 'btree'))
    ORDER BY s.relid`,
};

/** The statistics target of outgrown tables: ANALYZE reads 300 times as many rows. */
const outgrownStatistics = 10;

/** Checks the database every 5 s unless it is idle. */
export function startMaintenance({
  store,
  uses,
  flushFiles,
  clock,
  log,
  limits: given,
}: MaintenanceOptions): Maintenance {
  const limits = { ...defaultLimits, ...given };
  let ownUses = 0;
  let usesAtVacuum = 0;
  let usesAtFastLook = 0;
  let isChangingFast = false;
  let vacuumAt = clock.now();
  let checkpointAt = clock.now();
  let positionAfterCheckpoint = '';
  let usesAtCheckpoint = -1;
  let current: Promise<void> | undefined;

  const foreignUses = () => uses() - ownUses;

  async function ask<Row>(statement: Statement, values?: unknown[]): Promise<Row[]> {
    ownUses += 1;
    return (await store.query<Row>(statement, values)).rows;
  }

  /** What does not wait for the one-minute interval. */
  async function followFastChanges(): Promise<void> {
    const usesNow = foreignUses();
    isChangingFast = false;
    if (usesNow === usesAtFastLook) return;
    usesAtFastLook = usesNow;
    await ask('SELECT pg_stat_force_next_flush()');
    await analyzeOutgrown();
    const { insertedRows, deadRows, manyDeadRows } = limits;
    const tables = await ask<{ table: string }>(tablesToVacuumSoon, [insertedRows, deadRows, manyDeadRows]);
    for (const { table } of tables) await ask(`VACUUM ${table}`);
    isChangingFast = tables.length > 0;
  }

  async function analyzeOutgrown(): Promise<void> {
    const tables = await ask<{ table: string }>(tablesToAnalyze, [limits.changedRows]);
    if (tables.length === 0) return;
    await ask(`SET default_statistics_target = ${outgrownStatistics}`);
    try {
      for (const { table } of tables) await ask(`ANALYZE ${table}`);
    } finally {
      await ask('RESET default_statistics_target');
    }
  }

  async function vacuum(): Promise<void> {
    const usesNow = foreignUses();
    if (usesNow === usesAtVacuum || clock.now() - vacuumAt < limits.vacuumIntervalMs) return;
    await ask('SELECT pg_stat_force_next_flush()');
    const tables = await ask<{ table: string; vacuum: boolean; freeze: boolean }>(tablesToVacuum, [
      limits.deadRows,
      limits.changedRows,
      limits.freezeAge,
    ]);
    // Statements of their own, so that other work can run in between.
    for (const { table, vacuum, freeze } of tables) {
      if (freeze) await ask(`VACUUM (FREEZE) ${table}`);
      else if (vacuum) await ask(`VACUUM ${table}`);
      await ask(`ANALYZE ${table}`);
    }
    usesAtVacuum = usesNow;
    vacuumAt = clock.now();
  }

  async function checkpoint(): Promise<void> {
    const usesNow = foreignUses();
    if (usesNow === usesAtCheckpoint) return;
    const [wal] = await ask<{ position: string; bytes: number }>(walState);
    if (!wal) return;
    const isWritten = wal.position !== positionAfterCheckpoint;
    const isDue = wal.bytes >= limits.walBytes || clock.now() - checkpointAt >= limits.checkpointIntervalMs;
    if (isWritten && !isDue) return;
    if (isWritten) {
      await flushFiles();
      await ask('CHECKPOINT');
      const [after] = await ask<{ position: string }>(walState);
      positionAfterCheckpoint = after?.position ?? '';
    }
    usesAtCheckpoint = usesNow;
    checkpointAt = clock.now();
  }

  async function lookAtAll(): Promise<void> {
    await followFastChanges();
    await vacuum();
    await checkpoint();
  }

  /** Joins the work that is running, if any. */
  function run(work: () => Promise<void>): Promise<void> {
    current ??= work()
      .catch((error: Error) => log({ level: 'warn', message: `store maintenance failed: ${error.message}` }))
      .finally(() => {
        current = undefined;
      });
    return current;
  }

  const look = () => run(lookAtAll);
  const stopTimers = [
    clock.every(pollIntervalMs, () => void look()),
    clock.every(fastPollIntervalMs, () => {
      if (isChangingFast) void run(followFastChanges);
    }),
  ];
  return {
    runNow: look,
    async stop() {
      for (const stopTimer of stopTimers) stopTimer();
      await current;
    },
  };
}
