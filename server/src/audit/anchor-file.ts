// Where the chain of the audit log had come to, kept in a file beside the store: what is cut off at the end is missed there.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorFacts, type Log } from '../log.ts';

/** A record of the chain that was there once. */
export interface Anchor {
  number: number;
  /** Hash of that record, in hexadecimal. */
  hash: string;
}

export interface AnchorStore {
  read(spaceId: string): Promise<Anchor | null>;
  write(spaceId: string, anchor: Anchor): Promise<void>;
}

const fileName = 'audit-anchors.json';

/** One file for all spaces; a file that cannot be written is told once, and the lines of the log are left. */
export function anchorFile(dataFolder: string, log: Log): AnchorStore {
  const path = join(resolve(dataFolder), fileName);
  let queue: Promise<unknown> = Promise.resolve();
  let isTold = false;

  async function readAll(): Promise<Record<string, Anchor>> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    return JSON.parse(text) as Record<string, Anchor>;
  }

  async function replace(spaceId: string, anchor: Anchor): Promise<void> {
    const all = { ...(await readAll()), [spaceId]: anchor };
    await mkdir(dirname(path), { recursive: true });
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(all, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  return {
    async read(spaceId) {
      return (await readAll())[spaceId] ?? null;
    },
    write(spaceId, anchor) {
      const done = queue.then(() => replace(spaceId, anchor));
      queue = done.catch((error: unknown) => {
        if (!isTold)
          log({ level: 'warn', message: 'The audit anchor was not written', ...errorFacts(error) });
        isTold = true;
      });
      return queue as Promise<void>;
    },
  };
}
