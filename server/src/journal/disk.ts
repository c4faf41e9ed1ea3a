// File system calls that durability depends on, behind an interface so that tests can stop a process at each
// of them.
import { constants, fstatSync, write, writev } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFolder } from '../db/pglite/create-folder.ts';

export interface DiskFile {
  /** Returns the number of bytes written, which may be fewer than given. */
  writev(parts: Buffer[], position: number): Promise<number>;
  truncate(size: number): Promise<void>;
  /** Current size, even if another process changed it; throws if it cannot be determined. */
  size(): number;
  close(): Promise<void>;
}

export interface Disk {
  /** Creates the folder and its parents durably; does nothing if it exists. */
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  read(path: string): Promise<Buffer>;
  /** Opens a file with flags of open(2), accessible to this user only. */
  open(path: string, flags: number): Promise<DiskFile>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  truncate(path: string, size: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed entries of a folder durable. */
  syncFolder(folder: string): Promise<void>;
}

/**
 * A file that must not exist yet; each write returns only once it is on disk, so that one call suffices for a
 * batch.
 */
export const durableFileFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_DSYNC;

/** The real file system. */
export const nodeDisk: Disk = {
  async makeFolder(folder) {
    const topmost = createFolder(folder);
    if (topmost === undefined) return;
    for (let above = dirname(folder); ; above = dirname(above)) {
      await syncFolder(above);
      if (above === dirname(topmost)) return;
    }
  },
  list: (folder) => readdir(folder),
  read: (path) => readFile(path),
  async open(path, flags) {
    const handle = await open(path, flags, 0o600);
    return {
      writev: (parts, position) => writeParts(handle.fd, parts, position),
      truncate: (size) => handle.truncate(size),
      size: () => fstatSync(handle.fd).size,
      close: () => handle.close(),
    };
  },
  link,
  rename,
  truncate,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

/** With callbacks, because the promises of a file handle take the receiver's thread more time for each write. */
function writeParts(fd: number, parts: Buffer[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onWritten = (error: Error | null, written: number) => (error ? reject(error) : resolve(written));
    const [first] = parts;
    if (parts.length === 1) write(fd, first!, 0, first!.length, position, onWritten);
    else writev(fd, parts, position, onWritten);
  });
}

/** Writes all parts; usually in one call, but the system may write only part of a large one. */
export async function writeAll(file: DiskFile, parts: Buffer[], position: number): Promise<void> {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  let done = await file.writev(parts, position);
  if (done === size) return;
  const whole = Buffer.concat(parts);
  while (done < size) {
    const taken = await file.writev([whole.subarray(done)], position + done);
    if (taken === 0) throw new Error(`the file system took ${done} of ${size} bytes`);
    done += taken;
  }
}

/**
 * Returns undefined if the file does not exist: the process that listed it, or its owner, may have removed it since
 * because all its entries were taken over.
 */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
