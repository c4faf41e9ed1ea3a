/** Writes rows as fast as possible and prints each number only after the database has acknowledged it. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/db/open-database.ts';

const [folder = '', templateFile = ''] = process.argv.slice(2);
const up = 'CREATE TABLE row (id bigint PRIMARY KEY, text text)';
const database = await openDatabase({ folder, templateFile, migrations: [{ number: 1, name: 'rows', up }] });
const { rows } = await database.query<{ next: number }>(
  'SELECT coalesce(max(id), 0)::int + 1 AS next FROM row',
);
let next = rows[0]?.next ?? 1;
const insert = { name: 'insert', text: 'INSERT INTO row VALUES ($1, $2)' };

async function writeForEver(): Promise<void> {
  for (;;) {
    const id = next;
    next += 1;
    await database.query(insert, [id, 'x'.repeat(id % 3_000)]);
    writeSync(1, `${id}\n`);
  }
}
await Promise.all([writeForEver(), writeForEver(), writeForEver()]);
