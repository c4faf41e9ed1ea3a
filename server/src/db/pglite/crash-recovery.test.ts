import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDataFolder, testTemplate } from '../../../test/support/data-folder.ts';
import { openDatabase } from '../open-database.ts';

const script = fileURLToPath(new URL('../../../test/support/scripts/write-loop.ts', import.meta.url));
const up = 'CREATE TABLE row (id bigint PRIMARY KEY, text text)';

/**
 * Runs the writer until it has acknowledged that many rows, kills it, and returns everything it acknowledged.
 */
async function writeUntilKilled(folder: string, templateFile: string, rows: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, templateFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes;
    if (output.split('\n').length > rows) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  return output.split('\n').slice(0, -1);
}

test('a process killed while it writes loses no acknowledged row', { timeout: 120_000 }, async () => {
  const templateFile = await testTemplate();
  const data = createDataFolder();
  const acknowledged = new Set<string>();
  for (const rows of [50, 400, 900]) {
    for (const id of await writeUntilKilled(data.folder, templateFile, rows)) acknowledged.add(id);
    const database = await openDatabase({
      folder: data.folder,
      migrations: [{ number: 1, name: 'rows', up }],
    });
    const kept = await database.query<{ id: string }>('SELECT id FROM row');
    const ids = new Set(kept.rows.map(({ id }) => id));
    expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    const whole = await database.query(
      'SELECT count(*)::int AS rows FROM row WHERE length(text) = id % 3000',
    );
    expect(whole.rows).toEqual([{ rows: ids.size }]);
    await database.close();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(1_350);
  data.remove();
});
