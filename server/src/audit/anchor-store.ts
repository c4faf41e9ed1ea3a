// Stores the last known head of the audit chain in a file outside the database, so that a truncated log is
// detected.
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorFields, type Log } from '../common/log.ts';
import { createFolder } from '../db/pglite/create-folder.ts';
import { dataFolderParts } from '../db/pglite/data-folder.ts';

/** Number and hash of a record that the chain once contained. */
export interface Anchor {
  number: number;
  /** Hash of that record, in hexadecimal. */
  hash: string;
}

export interface AnchorStore {
  read(spaceId: string): Promise<Anchor | null>;
  write(spaceId: string, anchor: Anchor): Promise<void>;
}

/**
 * Keeps one file per space and replaces it atomically, so that servers sharing a folder never mix their
 * writes. A read or write error is logged once; the head lines in the server log remain as a fallback.
 */
export function createAnchorStore(dataFolder: string, log: Log): AnchorStore {
  const folder = join(resolve(dataFolder), dataFolderParts.anchors);
  const pathOf = (spaceId: string) => join(folder, `${spaceId}.json`);
  const loggedMessages = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  function logOnce(message: string, error: unknown): void {
    if (loggedMessages.has(message)) return;
    loggedMessages.add(message);
    log({ level: 'warn', message, ...errorFields(error) });
  }

  async function replace(spaceId: string, anchor: Anchor): Promise<void> {
    createFolder(folder);
    const partial = `${pathOf(spaceId)}.${randomUUID()}.new`;
    const file = await open(partial, 'wx', 0o600);
    try {
      try {
        await file.writeFile(`${JSON.stringify(anchor)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, pathOf(spaceId));
    } catch (error) {
      await rm(partial);
      throw error;
    }
  }

  return {
    async read(spaceId) {
      try {
        return JSON.parse(await readFile(pathOf(spaceId), 'utf8')) as Anchor;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          logOnce('The audit anchor cannot be read', error);
        return null;
      }
    },
    write(spaceId, anchor) {
      const done = queue.then(() => replace(spaceId, anchor));
      queue = done.catch((error: unknown) => logOnce('The audit anchor was not written', error));
      return queue as Promise<void>;
    },
  };
}
