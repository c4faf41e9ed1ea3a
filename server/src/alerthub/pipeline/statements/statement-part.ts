// Data stored for a batch of evaluated messages, and a builder for the parts of the SQL statement that stores
// it.
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import type { MessageDecision } from '@yagura/core/alerthub/engine/execution/decide-batch';
import type { RunbookProgress } from '@yagura/core/alerthub/engine/execution/runbook-run';
import type { NextId } from '../../../common/id.ts';
import type { RowColumns } from '../../../db/binary-array.ts';
import { toStoreJson } from '../../../db/store-json.ts';
import type { HourCount } from './count-hours.ts';

export interface DecidedBatch {
  spaceId: string;
  now: string;
  /** Queue positions of the messages in this batch. */
  seqs: string[];
  messages: MessageDecision[];
  /** Increments of the hourly counts. */
  counts: HourCount[];
  result: BatchResult;
  /** Time at which each affected scope recovers automatically, or null. */
  recoveryAt: ReadonlyMap<string, string | null>;
  /** Progress of runbook records, including those that this batch starts. */
  progress: readonly RunbookProgress[];
  /** Leases the deliveries that this process sends immediately: their number, owner and expiry. */
  lease(): { count: number; by: string; until: string };
  nextId: NextId;
}

/** A part of the statement, present only when it has rows to write. */
export interface StatementPart {
  /** Distinguishes the names of prepared statements with and without this part. */
  code: string;
  /** The common table expressions and their parameters; undefined if there are no rows. */
  build(decided: DecidedBatch): { text(first: number): string; values: unknown[] } | undefined;
}

/**
 * `text` reads the rows as `x`, and `given` (`space_id`, `now`) as `g`. Updates and deletes also filter by
 * `key`, the parameter of the first column: PostgreSQL keeps a plan made while a table was small, and it must
 * not scan the whole table once it has grown.
 */
export function statementPart<Row>(
  code: string,
  rows: (decided: DecidedBatch) => readonly Row[],
  columns: RowColumns<Row>,
  text: (x: string, key: string) => string,
): StatementPart {
  return {
    code,
    build(decided) {
      const list = rows(decided);
      if (list.length === 0) return undefined;
      return {
        text: (first) => text(columns.unnestSql(first), `$${first}`),
        values: columns.toParameters(list),
      };
    },
  };
}

/** Serializes JSON for storage; null and undefined become null. */
export const toStoredJson = (value: unknown) =>
  value === null || value === undefined ? null : toStoreJson(value);
