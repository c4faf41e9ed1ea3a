/** Describes SQL statements with the embedded engine: their parameters and result columns, without running them. */
import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/all.ts';
import { testTemplate } from '../data-folder.ts';
import type { ValueKind } from './find-statements.ts';

/** A statement as the engine understands it. */
export interface DescribedStatement {
  parameters: number;
  columns: Map<string, ValueKind>;
}

/** What the types of PostgreSQL become in `server/src/db/result-types.ts`, by type OID. */
const kindOfType = new Map<number, ValueKind>([
  ...([21, 23, 26, 700, 701] as const).map((oid) => [oid, 'number'] as const),
  // bigint and numeric are text, so that no digit is lost; dates and times are text as well.
  ...([18, 19, 20, 25, 869, 1042, 1043, 1082, 1083, 1114, 1184, 1700, 2950] as const).map(
    (oid) => [oid, 'text'] as const,
  ),
  [16, 'boolean'],
  [17, 'bytes'],
  [114, 'any'],
  [3802, 'any'],
  ...([1000, 1001, 1005, 1007, 1009, 1015, 1016, 1022, 1115, 1182, 1185, 1231, 2951, 3807] as const).map(
    (oid) => [oid, 'array'] as const,
  ),
]);

/** An engine in memory with all tables. */
export async function openDescriber(): Promise<{
  describe(text: string): Promise<DescribedStatement>;
  close(): Promise<void>;
}> {
  const template = new Blob([await readFile(await testTemplate())]);
  const engine = await PGlite.create({ loadDataDir: template });
  const client = {
    // Only a text without values may have several statements.
    query: async (text: string, values?: unknown[]) =>
      values ? engine.query(text, values) : (await engine.exec(text)).at(-1),
  };
  await migrate(client as unknown as pg.ClientBase, migrations);
  return {
    async describe(text) {
      const { queryParams, resultFields } = await engine.describeQuery(text);
      const columns = resultFields.map(({ name, dataTypeID }) => {
        const kind = kindOfType.get(dataTypeID);
        return [name, kind ?? `type ${dataTypeID}`] as [string, ValueKind];
      });
      return { parameters: queryParams.length, columns: new Map(columns) };
    },
    close: () => engine.close(),
  };
}
