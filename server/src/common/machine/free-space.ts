// Free space of a disk, for limits that are checked on every write.
import { statfs } from 'node:fs/promises';
import type { Clock } from '../clock.ts';

/** Milliseconds for which a reading is used. */
const readingMs = 1000;

export class FreeSpace {
  private readonly folder: string;
  private readonly clock: Pick<Clock, 'now'>;
  private lastBytes = Number.POSITIVE_INFINITY;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.folder = folder;
    this.clock = clock;
  }

  /** Free bytes at the last reading; begins another one from time to time, without waiting for it. Infinite before the first. */
  bytes(): number {
    const now = this.clock.now();
    if (Math.abs(now - this.readAt) >= readingMs) {
      this.readAt = now;
      statfs(this.folder).then(
        ({ bavail, bsize }) => {
          this.lastBytes = bavail * bsize;
        },
        // A missing folder is reported by the write to it.
        () => undefined,
      );
    }
    return this.lastBytes;
  }
}
