/** What a data folder contains, and whether a server can begin or continue with it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { createFolder } from './create-folder.ts';
import { FolderBusy, type FolderLock, lockFolder } from './folder-lock.ts';

/** Names in a data folder. The server writes the last two with PostgreSQL as well. */
export const dataFolderParts = { database: 'engine', journal: 'intake', anchors: 'audit-anchors' } as const;

/** Exists while the first start creates the database; see engine-worker.mjs. */
const interruptedStart = 'engine.initialising';

/** Whether the folder holds a database of the embedded engine. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, dataFolderParts.database, 'PG_VERSION'));
}

/** Creates the folder if needed and locks it. Throws FolderBusy, or an error that names the folder. */
export async function lockDataFolder(folder: string, clock: Clock): Promise<FolderLock> {
  try {
    createFolder(folder);
    return await lockFolder(folder, { clock });
  } catch (error) {
    if (error instanceof FolderBusy) throw error;
    throw new Error(`The data folder ${folder} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * Throws when an earlier server has used the folder but its database is not there: a new, empty one would hide that a
 * copy is incomplete, or that DATABASE_URL is missing. Also throws for a copy over an interrupted first start, which the
 * engine would remove.
 */
export function refuseMissingDatabase(folder: string): void {
  const isInterrupted = existsSync(join(folder, interruptedStart));
  if (!isInterrupted && !isEmpty(join(folder, dataFolderParts.database))) return;
  const left = [dataFolderParts.journal, dataFolderParts.anchors].filter(
    (name) => !isEmpty(join(folder, name)),
  );
  if (left.length === 0) return;
  if (isInterrupted)
    throw new Error(
      `The data folder ${folder} contains an interrupted first start, which would begin again, and "${left.join('" and "')}" of another folder. Remove the folder and copy the other one again.`,
    );
  throw new Error(
    `The data folder ${folder} has no database ("${dataFolderParts.database}"), but "${left.join('" and "')}" of an earlier server. If it is a copy, copy it completely. If that server used PostgreSQL, set DATABASE_URL. For a new installation, name an empty folder.`,
  );
}

function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}
