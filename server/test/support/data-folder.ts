/** Data folders for tests of the embedded engine: empty, or with all tables created. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
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
import { ensureTemplate } from '../../src/db/pglite/build-template.ts';
import { cachedTemplateFile, migrationsHash } from '../../src/db/pglite/template.ts';

/** A folder and a function to remove it. */
export interface DataFolder {
  folder: string;
  remove: () => void;
}

const memory = '/dev/shm';
const wantedRoom = 2 * 2 ** 30;

/**
 * Uses the in-memory file system when it has enough free space: fsync takes most of the time of a first
 * start.
 */
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

/** A new folder with these tables and no rows, copied from a cached one. */
export async function createStartedFolder(migrations: readonly Migration[]): Promise<DataFolder> {
  const model = await modelFolder(migrations);
  const made = createDataFolder();
  copyTree(model, made.folder);
  return made;
}

/** Copies a folder of many small files in half the time that cpSync takes. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else copyFileSync(source, target);
  }
}

/** Path of the template; built once per installation, in about 5 s. */
export function testTemplate(): Promise<string> {
  return ensureTemplate(cachedTemplateFile());
}

/**
 * The cached folder that others are copied from; rebuilt when the tables have changed. Safe for concurrent
 * builders.
 */
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
