// In-memory file system that stops a process at any call and drops the data a power failure may lose.
import { constants } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disk, DiskFile } from '../../src/journal/disk.ts';

/**
 * What survives the stop: `kill` keeps everything written; the others keep what was synced and varying
 * amounts of the rest.
 */
export type Loss = 'kill' | 'unsynced' | 'unsynced content' | 'some';
export const losses: readonly Loss[] = ['kill', 'unsynced', 'unsynced content', 'some'];

/** How much of the last call was executed. */
export type Progress = 'not begun' | 'front half' | 'back half';

/** Stops the process at this call, counted from 1. */
export interface Stop {
  call: number;
  progress: Progress;
}

interface Inode {
  /** Content as seen by processes, and content guaranteed to be on disk. */
  seen: Buffer;
  safe: Buffer;
}

/** Names that changed together and whose directory has not been synced since; undefined means removed. */
type Change = ReadonlyMap<string, Inode | undefined>;

const failure = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code });

export class CrashDisk {
  private readonly names = new Map<string, Inode>();
  private readonly safeNames = new Map<string, Inode>();
  private unsynced: Change[] = [];

  /** The disk as seen by one process, until it is stopped. */
  process(stop?: Stop): CrashingProcess {
    return new CrashingProcess(this, stop);
  }

  /** The disk as found by the next process. `random` decides where the outcome is undefined. */
  after(loss: Loss, random: () => number): CrashDisk {
    const next = new CrashDisk();
    const copies = new Map<Inode, Inode>();
    const copy = (inode: Inode) => {
      const keeps = loss === 'kill' || (loss === 'some' && random() < 0.5);
      const bytes = keeps ? inode.seen : inode.safe;
      if (!copies.has(inode)) copies.set(inode, { seen: bytes, safe: bytes });
      return copies.get(inode)!;
    };
    const left = new Map(loss === 'kill' ? this.names : this.safeNames);
    for (const change of loss === 'kill' ? [] : this.unsynced) {
      if (loss === 'unsynced' || (loss === 'some' && random() < 0.5)) continue;
      for (const [path, inode] of change) {
        if (inode) left.set(path, inode);
        else left.delete(path);
      }
    }
    for (const [path, inode] of left) {
      next.names.set(path, copy(inode));
      next.safeNames.set(path, copy(inode));
    }
    return next;
  }

  copy(): CrashDisk {
    return this.after('kill', () => 0);
  }

  list(folder: string): string[] {
    return [...this.names.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path));
  }

  read(path: string): Buffer {
    return this.find(path).seen;
  }

  write(path: string, bytes: Buffer): void {
    const inode = { seen: bytes, safe: bytes };
    this.names.set(path, inode);
    this.safeNames.set(path, inode);
  }

  find(path: string): Inode {
    const inode = this.names.get(path);
    if (!inode) throw failure('ENOENT', path);
    return inode;
  }

  has(path: string): boolean {
    return this.names.has(path);
  }

  change(change: [string, Inode | undefined][]): void {
    for (const [path, inode] of change) {
      if (inode) this.names.set(path, inode);
      else this.names.delete(path);
    }
    this.unsynced.push(new Map(change));
  }

  sync(folder: string): void {
    this.unsynced = this.unsynced.filter((change) => {
      const isHere = [...change.keys()].some((path) => dirname(path) === folder);
      if (!isHere) return true;
      for (const [path, inode] of change) {
        if (inode) this.safeNames.set(path, inode);
        else this.safeNames.delete(path);
      }
      return false;
    });
  }
}

export class CrashingProcess implements Disk {
  /** Number of calls so far. */
  calls = 0;
  /** Whether it was stopped during a write, which may have been partly executed. */
  isInWrite = false;
  /** Resolves when the process is stopped. */
  readonly stopped: Promise<'stopped'>;
  private readonly disk: CrashDisk;
  private readonly stop: Stop | undefined;
  private halt: (end: 'stopped') => void = () => undefined;
  private isHalted = false;

  constructor(disk: CrashDisk, stop: Stop | undefined) {
    this.disk = disk;
    this.stop = stop;
    this.stopped = new Promise((resolve) => {
      this.halt = resolve;
    });
  }

  makeFolder(): Promise<void> {
    return this.call(() => undefined);
  }

  list(folder: string): Promise<string[]> {
    return this.call(() => this.disk.list(folder));
  }

  read(path: string): Promise<Buffer> {
    return this.call(() => this.disk.read(path));
  }

  open(path: string, flags: number): Promise<DiskFile> {
    return this.call(() => {
      if (!(flags & constants.O_CREAT)) throw failure('EINVAL', path);
      const isThere = this.disk.has(path);
      if (isThere && flags & constants.O_EXCL) throw failure('EEXIST', path);
      if (!isThere) this.disk.change([[path, { seen: Buffer.alloc(0), safe: Buffer.alloc(0) }]]);
      return this.file(this.disk.find(path), (flags & constants.O_DSYNC) !== 0);
    });
  }

  link(from: string, to: string): Promise<void> {
    return this.call(() => {
      if (this.disk.has(to)) throw failure('EEXIST', to);
      this.disk.change([[to, this.disk.find(from)]]);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.call(() =>
      this.disk.change([
        [from, undefined],
        [to, this.disk.find(from)],
      ]),
    );
  }

  truncate(path: string, size: number): Promise<void> {
    return this.call(() => {
      const inode = this.disk.find(path);
      inode.seen = inode.seen.subarray(0, size);
    });
  }

  remove(path: string): Promise<void> {
    return this.call(() => {
      if (this.disk.has(path)) this.disk.change([[path, undefined]]);
    });
  }

  syncFolder(folder: string): Promise<void> {
    return this.call(() => this.disk.sync(folder));
  }

  private file(inode: Inode, isDurable: boolean): DiskFile {
    const put = (bytes: Buffer, position: number) => {
      const before = inode.seen;
      const after = Buffer.alloc(Math.max(before.length, position + bytes.length));
      before.copy(after);
      bytes.copy(after, position);
      inode.seen = after;
      if (isDurable) inode.safe = after;
    };
    return {
      writev: (parts, position) => {
        const whole = Buffer.concat(parts);
        const half = whole.length >> 1;
        return this.call(
          () => {
            put(whole, position);
            return whole.length;
          },
          (progress) => {
            if (progress === 'front half') put(whole.subarray(0, half), position);
            else put(whole.subarray(half), position + half);
          },
        );
      },
      truncate: (size) =>
        this.call(() => {
          inode.seen = inode.seen.subarray(0, size);
        }),
      size: () => inode.seen.length,
      close: () => this.call(() => undefined),
    };
  }

  /** Never settles once the process is stopped. */
  private async call<T>(work: () => T, partly?: (progress: Progress) => void): Promise<T> {
    this.calls += 1;
    if (this.isHalted || this.calls === this.stop?.call) {
      this.isInWrite ||= !this.isHalted && partly !== undefined;
      if (!this.isHalted && this.stop?.progress !== 'not begun') partly?.(this.stop!.progress);
      this.isHalted = true;
      this.halt('stopped');
      return new Promise(() => undefined);
    }
    return work();
  }
}
