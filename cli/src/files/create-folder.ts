// Creates folders.
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates the folder and its missing parents; an existing one is left as it is. Level by level, because recursive
 * mkdir never returns when an existing parent does not accept folders (as in /proc).
 */
export function createFolder(folder: string, mode?: number): void {
  createLevel(resolve(folder), mode);
}

function createLevel(folder: string, mode: number | undefined): void {
  try {
    createOne(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    createLevel(dirname(folder), mode);
    createOne(folder, mode);
  }
}

function createOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // The root of a file system that is read-only reports that instead of EEXIST.
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isFolder) throw error;
  }
}
