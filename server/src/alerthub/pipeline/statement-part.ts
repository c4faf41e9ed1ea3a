// What is stored of a batch of decisions, and how a part of the statement that stores it is made.
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import type { MessageDecision } from '@yagura/core/alerthub/engine/execution/decide-batch';
import type { RunbookProgress } from '@yagura/core/alerthub/engine/execution/run-runbooks';
import type { NextId } from '../../common/id.ts';
import type { RowColumns } from '../../db/binary-array.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { HourCount } from './count-hours.ts';

export interface DecidedBatch {
  spaceId: string;
  now: string;
  /** Positions in the waiting line that this batch takes. */
  seqs: string[];
  messages: MessageDecision[];
  /** What these messages add to the counts by hour. */
  counts: HourCount[];
  result: BatchResult;
  /** When each touched scope recovers by itself, or null. */
  recoveryAt: ReadonlyMap<string, string | null>;
  /** How records of runbooks went on, those among them that this batch starts. */
  progress: readonly RunbookProgress[];
  /** Lease of the deliveries that this process sends at once: how many, by whom, until when. */
  lease: { count: number; by: string; until: string };
  nextId: NextId;
}

/** A part of the statement that is there when it has rows to write. */
export interface StatementPart {
  /** Tells the statements with it from those without. */
  code: string;
  /** The common table expressions, and their parameters; undefined when there are no rows. */
  build(decided: DecidedBatch): { text(first: number): string; values: unknown[] } | undefined;
}

/**
 * `text` reads the rows as `x`, and `given` (`space_id`, `now`) as `g`. What changes rows names them by `key`, the
 * parameter of the first column, as well: a plan made while a table is small is kept as it grows, and must not read it
 * from end to end.
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

/** JSON as the store takes it; what is absent is null. */
export const toStoredJson = (value: unknown) =>
  value === null || value === undefined ? null : toStoreJson(value);
