// Measures how much processor time the machine has left.
import { type CpuInfo, cpus } from 'node:os';

/** Milliseconds over which the idle time is averaged at least: the system counts in steps of 10 ms. */
const minWindowMs = 500;

interface Sample {
  at: number;
  idle: number;
  total: number;
  processors: number;
}

export class ProcessorIdle {
  private readonly now: () => number;
  private readonly read: () => Pick<CpuInfo, 'times'>[];
  private last: Sample;
  private idle = 0;

  /** `now` returns milliseconds. */
  constructor(now = () => performance.now(), read: () => Pick<CpuInfo, 'times'>[] = cpus) {
    this.now = now;
    this.read = read;
    this.last = this.sample();
  }

  /** Processors that were idle in the last half second, or since the last call if that is longer, e.g. 1.5 of 4. */
  idleProcessors(): number {
    if (this.now() - this.last.at < minWindowMs) return this.idle;
    const { last } = this;
    this.last = this.sample();
    const total = this.last.total - last.total;
    // Without figures from the system, nothing is known to be idle.
    this.idle = total > 0 ? ((this.last.idle - last.idle) / total) * this.last.processors : 0;
    return this.idle;
  }

  private sample(): Sample {
    let idle = 0;
    let total = 0;
    const processors = this.read();
    for (const { times } of processors) {
      idle += times.idle;
      total += times.user + times.nice + times.sys + times.idle + times.irq;
    }
    return { at: this.now(), idle, total, processors: processors.length };
  }
}
