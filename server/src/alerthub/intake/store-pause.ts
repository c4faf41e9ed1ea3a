// How long storing pauses after a write, so that others get their turn.

/**
 * While the receivers are busy for at least `load` of the time and no processor is idle, storing pauses after each
 * write for `factor` times its duration, at most `longestMs`: in a message storm, responses come first and the
 * backlog is stored afterwards. The more processor time is left, the shorter the pause; at `idle` there is none.
 * Nor is there one once messages have waited for `maxWaitMs`: storing then takes what it needs to keep up.
 */
const overloadBackoff = { load: 0.5, factor: 19, longestMs: 2000, idle: 0.25, maxWaitMs: 30_000 };
/** After a write of more milliseconds than this (e.g. a very large message), storing pauses for as long. */
const longWriteMs = 100;

export interface StoreTiming {
  /** Duration of the write in milliseconds. */
  tookMs: number;
  /** Milliseconds since the last message of the write was received. */
  waitedMs: number;
  /** Fraction of time (0 to 1) during which the receivers were busy. */
  receiverLoad: number;
  /** Idle fraction of the machine's processors, 0 to 1. */
  idle: number;
}

/** Milliseconds until the next write. */
export function storePauseMs({ tookMs, waitedMs, receiverLoad, idle }: StoreTiming): number {
  const { load, factor, longestMs, idle: enough, maxWaitMs } = overloadBackoff;
  const isYielding = receiverLoad >= load && waitedMs < maxWaitMs;
  const backoff = isYielding ? tookMs * factor * Math.max(1 - idle / enough, 0) : 0;
  return Math.min(Math.max(backoff, tookMs > longWriteMs ? tookMs : 0), longestMs);
}
