// Updates many rows together; a row whose change the database rejects does not affect the others.
import { errorFields, type Log } from '../common/log.ts';
import type { Database } from '../db/database.ts';
import { isRowFault, runIsolatingFaults } from './poison-row-guard.ts';

export interface RowUpdate {
  table: string;
  /** Primary key column. */
  key: string;
  /** Condition on the rows, with the first parameters. */
  where: string;
  whereValues: unknown[];
  /** Assignments; further parameters follow those of the condition. */
  set: string;
  setValues?: unknown[];
}

/** Logs and leaves rows whose change the database rejects. */
export async function updateRows(
  { database, log }: { database: Database; log: Log },
  { table, key, where, whereValues, set, setValues = [] }: RowUpdate,
): Promise<void> {
  const update = `update ${table} set ${set} where ${where}`;
  const values = [...whereValues, ...setValues];
  try {
    await database.query(update, values);
  } catch (error) {
    if (!isRowFault(error)) throw error;
    const { rows } = await database.query<{ id: string }>(
      `select ${key}::text as id from ${table} where ${where}`,
      whereValues,
    );
    await runIsolatingFaults(
      rows.map(({ id }) => id),
      async (ids) => {
        await database.query(`${update} and ${key}::text = any($${values.length + 1}::text[])`, [
          ...values,
          ids,
        ]);
      },
      async (id, fault) =>
        log({ level: 'error', message: 'a row could not be updated', table, id, ...errorFields(fault) }),
    );
  }
}
