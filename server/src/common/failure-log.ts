// Keeps a failure that repeats from filling the log: an outage of the database fails dozens of jobs every second.
import type { Clock } from './clock.ts';
import { errorFields, type Log, type LogLine } from './log.ts';

/** Milliseconds after which a failure that goes on is logged again. */
const reminderMs = 5 * 60_000;
/** Milliseconds without a failure after which the next one begins a new series. Most jobs run at least once a minute. */
const quietMs = 2 * 60_000;

interface Series {
  error: string;
  loggedAt: number;
  lastAt: number;
  /** Failures since the last line at its own level. */
  unlogged: number;
}

/** Logs the first of a series of equal failures at its own level, and the others as debug. */
export class FailureLog {
  private readonly deps: { clock: Clock; log: Log };
  private readonly seriesByMessage = new Map<string, Series>();

  constructor(deps: { clock: Clock; log: Log }) {
    this.deps = deps;
  }

  /** Logs the line with the fields of the error; `repeated` counts what was logged as debug since the last one. */
  failed(line: LogLine, error: unknown): void {
    const { clock, log } = this.deps;
    const now = clock.now();
    // On a full disk the failures name a different file each time, by its number.
    const reason = String(error).replace(/\S*\/\S*/g, (path) => path.replace(/\d+/g, '0'));
    const series = this.seriesByMessage.get(line.message);
    const isSame = series?.error === reason && now - series.lastAt < quietMs;
    if (isSame && now - series.loggedAt < reminderMs) {
      series.unlogged++;
      series.lastAt = now;
      log({ ...line, level: 'debug', ...errorFields(error) });
      return;
    }
    const repeated = series?.unlogged ? { repeated: series.unlogged } : {};
    this.seriesByMessage.set(line.message, { error: reason, loggedAt: now, lastAt: now, unlogged: 0 });
    log({ ...line, ...errorFields(error), ...repeated });
  }

  /** Ends the series, so that the next failure is logged at once. */
  succeeded(message: string): void {
    this.seriesByMessage.delete(message);
  }
}
