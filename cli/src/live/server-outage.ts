// The time in which a command that waits for something cannot reach the server, such as during its restart.
import { Problem } from '@yagura/core/http/problem';

/** Milliseconds without the server after which a command gives up; what it waits for goes on meanwhile. */
const maxOutageMs = 5 * 60_000;

export class ServerOutage {
  private readonly now: () => number;
  private reachedAt: number;

  constructor(now: () => number) {
    this.now = now;
    this.reachedAt = now();
  }

  /** Null while the server cannot be reached; rejects once that has lasted for five minutes. */
  async unlessAway<T>(reply: Promise<T>, onAway: (problem: Problem) => void = () => {}): Promise<T | null> {
    try {
      const value = await reply;
      this.reachedAt = this.now();
      return value;
    } catch (error) {
      if (!isConnectionLost(error) || this.now() - this.reachedAt >= maxOutageMs) throw error;
      onAway(error);
      return null;
    }
  }
}

export function isConnectionLost(error: unknown): error is Problem {
  return error instanceof Problem && ['unreachable', 'unavailable'].includes(error.kind);
}
