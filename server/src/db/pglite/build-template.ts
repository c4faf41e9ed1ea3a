/** Builds the template of the embedded engine. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Migration } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';

/**
 * Builds the template with the tables of these migrations (about 5 s) unless it exists; safe to run concurrently.
 * Returns the path.
 */
export async function ensureTemplate(file: string, migrations: readonly Migration[] = []): Promise<string> {
  if (existsSync(file)) return file;
  const folder = mkdtempSync(join(tmpdir(), 'yagura-template-'));
  try {
    const empty = await openDatabase({ folder, migrations: [] });
    await empty.query('VACUUM (FREEZE, ANALYZE)');
    await empty.close();
    if (migrations.length > 0) await (await openDatabase({ folder, migrations })).close();
    const bytes = await packFolder(folder);
    mkdirSync(dirname(file), { recursive: true });
    const partial = `${file}.${randomUUID()}.partial`;
    writeFileSync(partial, bytes);
    renameSync(partial, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return file;
}

function packFolder(folder: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./engine-worker.mjs', import.meta.url), {
      workerData: { task: 'template', folder },
    });
    worker.on('message', (message: { type: string; bytes?: Uint8Array; reason?: string }) => {
      if (message.bytes) resolve(message.bytes);
      else reject(new Error(`The engine template cannot be built: ${message.reason}`));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The engine template cannot be built: the worker ended')));
  });
}
