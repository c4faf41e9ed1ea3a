import { lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createFolder as create } from '@yagura/core/files/create-folder';

/**
 * Creates the folder and its missing parents, for this user only; an existing one is left as it is. One that root creates
 * in a folder of the agent's user belongs to that user.
 */
export function createFolder(folder: string): void {
  const topmost = create({ mkdirSync, statSync, dirname, resolve }, folder);
  if (process.geteuid?.() !== 0 || topmost !== resolve(folder)) return;
  const { uid, gid } = statSync(dirname(topmost));
  if (uid !== 0) lchownSync(topmost, uid, gid);
}
