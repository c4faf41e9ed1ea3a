// How long storing pauses after a write, so that others get their turn.

/**
 * While the receivers are busy for at least `load` of the time, storing pauses after each write for `factor` times its
 * duration, at most `longestMs`: in a message storm, responses come first and the backlog is stored afterwards. The pause
 * shrinks while more than one processor is idle, and there is none with two: a receiver and its senders wait for one
 * another, so that they are slowed down as soon as they find no idle processor when they go on. There is no pause either
 * once messages have waited for `maxWaitMs`: storing then takes what it needs to keep up.
 */
const overloadBackoff = { load: 0.5, factor: 19, longestMs: 2000, idleProcessors: 2, maxWaitMs: 30_000 };
/**
 * After a write of more milliseconds than this (e.g. a very large message), storing pauses for as long if others read.
 * Nobody gains from a pause otherwise: a call that arrives meanwhile is answered before the next write.
 */
const longWriteMs = 100;

export interface StoreTiming {
  /** Duration of the write in milliseconds. */
  tookMs: number;
  /** Milliseconds since the last message of the write was received. */
  waitedMs: number;
  /** Fraction of time (0 to 1) during which the receivers were busy. */
  receiverLoad: number;
  /** Idle processors of the machine, e.g. 0.5. */
  idleProcessors: number;
  /** Whether others have read lately. */
  isShared: boolean;
}

/** Milliseconds until the next write. */
export function storePauseMs({
  tookMs,
  waitedMs,
  receiverLoad,
  idleProcessors,
  isShared,
}: StoreTiming): number {
  const { load, factor, longestMs, idleProcessors: enough, maxWaitMs } = overloadBackoff;
  const isYielding = receiverLoad >= load && waitedMs < maxWaitMs;
  const part = Math.min(Math.max(enough - idleProcessors, 0), 1);
  const backoff = isYielding ? tookMs * factor * part : 0;
  return Math.min(Math.max(backoff, isShared && tookMs > longWriteMs ? tookMs : 0), longestMs);
}
