import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFolder as create } from '@yagura/core/files/create-folder';

/** Creates the folder and its missing parents; an existing one is left as it is. */
export function createFolder(folder: string, mode = 0o777): void {
  create({ mkdirSync, statSync, dirname, resolve }, folder, mode);
}
