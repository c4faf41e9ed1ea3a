/**
 * Template of the embedded engine: an initialized data folder without rows as a gzip file, from which a first start
 * begins. The one beside the program has all tables.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Migration, migrationChecksum } from '../migrate.ts';

/** PGlite version that the engine worker was written for; part of the template's file name. */
export const engineVersion = '0.5.16';

/** File name of the template; it contains the engine version, so that no other version uses it. */
export const templateName = `engine-template-${engineVersion}.tar.gz`;

/**
 * Finds the template: the given file, or the one beside this module (production build); undefined if there is
 * none.
 */
export function findTemplate(given?: string): string | undefined {
  const candidates = [given, fileURLToPath(new URL(`./${templateName}`, import.meta.url))];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** Cache key of the tables created by these migrations with this engine version. */
export function migrationsHash(migrations: readonly Migration[]): string {
  const parts = [engineVersion, ...migrations.map(migrationChecksum)];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

/**
 * Path of the template with the tables of these migrations, in tests and builds: node_modules/.cache/yagura of the
 * workspace that contains the current folder.
 */
export function cachedTemplateFile(migrations: readonly Migration[] = []): string {
  let folder = process.cwd();
  while (!existsSync(join(folder, 'node_modules', '@electric-sql')) && dirname(folder) !== folder)
    folder = dirname(folder);
  const tables = migrations.length > 0 ? `tables-${migrationsHash(migrations)}` : '';
  return join(folder, 'node_modules', '.cache', 'yagura', tables, templateName);
}
