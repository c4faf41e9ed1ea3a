/** Data folders for tests of the embedded engine: empty ones, and ones whose tables are there already. */
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Migration } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { cachedTemplateFile, ensureTemplate } from '../../src/db/pglite/template.ts';
import { migrationsHash } from './migrations-hash.ts';

/** A folder and how to remove it. */
export interface DataFolder {
  folder: string;
  remove: () => void;
}

const memory = '/dev/shm';
const wantedRoom = 2 * 2 ** 30;

/** In memory where there is room for many: a disk's fsync is what most of a first start waits for. */
function placeForFolders(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= wantedRoom ? memory : tmpdir();
}

/** A new empty folder. */
export function createDataFolder(): DataFolder {
  const folder = mkdtempSync(join(placeForFolders(), 'yagura-data-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A new folder that a first start has been through, with these tables and no rows: a copy of one that is made once. */
export async function createStartedFolder(migrations: readonly Migration[]): Promise<DataFolder> {
  const model = await modelFolder(migrations);
  const made = createDataFolder();
  cpSync(model, made.folder, { recursive: true });
  return made;
}

/** The template's path; built once per installation, about 5 s. */
export function testTemplate(): Promise<string> {
  return ensureTemplate(cachedTemplateFile());
}

/** The folder that others are copied from; built when the tables have changed. Several builders at once do no harm. */
async function modelFolder(migrations: readonly Migration[]): Promise<string> {
  const templateFile = await testTemplate();
  const cache = dirname(templateFile);
  const prefix = `started-${migrations.length}-`;
  const model = join(cache, `${prefix}${migrationsHash(migrations)}`);
  if (existsSync(model)) return model;
  const old = readdirSync(cache).filter((name) => name.startsWith(prefix));
  const partial = join(cache, `partial-${randomUUID()}`);
  mkdirSync(partial);
  await (await openDatabase({ migrations, folder: partial, templateFile })).close();
  try {
    renameSync(partial, model);
  } catch (error) {
    if (!existsSync(model)) throw error;
    rmSync(partial, { recursive: true, force: true });
  }
  for (const name of old) rmSync(join(cache, name), { recursive: true, force: true });
  return model;
}
