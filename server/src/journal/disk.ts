// The calls to the file system that durability rests on, as one part, so that tests can stop a process at each of them.
import { constants, fstatSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DiskFile {
  /** Gives how many bytes were taken, which may be fewer than given. */
  writev(parts: Buffer[], position: number): Promise<number>;
  truncate(size: number): Promise<void>;
  /** The size at this moment, whoever changed it; throws when it cannot be told. */
  size(): number;
  close(): Promise<void>;
}

export interface Disk {
  /** Makes the folder and those above it durably; does nothing when it is there. */
  makeFolder(folder: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  read(path: string): Promise<Buffer>;
  /** Opens with flags of open(2) for this user alone. */
  open(path: string, flags: number): Promise<DiskFile>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  truncate(path: string, size: number): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes what was created, renamed and removed in a folder as durable as the content of files. */
  syncFolder(folder: string): Promise<void>;
}

/** A file that must not be there yet; a write to it returns when it is on disk, so that one call does for a batch. */
export const durableFileFlags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_DSYNC;

/** The machine's own file system. */
export const nodeDisk: Disk = {
  async makeFolder(folder) {
    const topmost = await mkdir(folder, { recursive: true, mode: 0o700 });
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
      writev: async (parts, position) => (await handle.writev(parts, position)).bytesWritten,
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

/** Writes all parts; one call as a rule, the system may take less of a large one. */
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

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
