/** How much work a statement is, counted in rows and not in time. */
import type { Queryable, Statement } from '../../../src/db/database.ts';

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Runs a statement; gives the number of rows that the nodes of its plan read, compared or returned. */
export async function countRowsHandled(
  db: Queryable,
  statement: Statement,
  values?: unknown[],
): Promise<number> {
  const text = typeof statement === 'string' ? statement : statement.text;
  const { rows } = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  );
  return handledBy(rows[0]!['QUERY PLAN'][0]!.Plan);
}

function handledBy(node: PlanNode): number {
  const each =
    node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return each * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, inner) => sum + handledBy(inner), 0);
}
