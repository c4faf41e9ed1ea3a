// Keeps recordings from filling the disk that messages need.

import type { Log } from '../../common/log.ts';
import type { FreeSpace } from '../../common/machine/free-space.ts';

export class LogSpace {
  private readonly free: Pick<FreeSpace, 'bytes'>;
  private readonly reserveBytes: number;
  private readonly log: Log;
  private isShort = false;

  /** `reserveBytes` is what recordings leave free. */
  constructor(free: Pick<FreeSpace, 'bytes'>, reserveBytes: number, log: Log) {
    this.free = free;
    this.reserveBytes = reserveBytes;
    this.log = log;
  }

  /** Whether another piece of a recording may be stored. */
  hasRoom(): boolean {
    const isShort = this.free.bytes() < this.reserveBytes;
    if (isShort && !this.isShort) {
      const message =
        'recordings of sessions wait at their gateways: the disk of the data folder is nearly full';
      this.log({
        ...{ level: 'error', message, reserveBytes: this.reserveBytes },
        setting: 'YAGURA_INTAKE_RESERVE_MEGABYTES',
      });
    }
    if (!isShort && this.isShort)
      this.log({ level: 'info', message: 'recordings of sessions are stored again' });
    this.isShort = isShort;
    return !isShort;
  }
}
