import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFolder as create } from '@yagura/core/files/create-folder';

/**
 * Creates the folder and its missing parents, for this user only; an existing one is left as it is. Returns the topmost
 * folder that was created; undefined if the folder existed.
 */
export function createFolder(folder: string): string | undefined {
  return create({ mkdirSync, statSync, dirname, resolve }, folder);
}
