import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';

// Limits the total memory of all request bodies being received or processed.

const defaultMaxBytes = 64 * 1024 * 1024;

/** One request's share of the budget. */
export interface BodyReservation {
  /** Reserves more bytes. Throws a 503 when the total budget would be exceeded. */
  reserve(bytes: number): void;
  /** Returns all reserved bytes; further calls have no effect. */
  release(): void;
}

export class BodyBudget {
  private readonly maxBytes: number;
  private reservedBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Bytes currently reserved. */
  get usedBytes(): number {
    return this.reservedBytes;
  }

  openReservation(): BodyReservation {
    let ownBytes = 0;
    let isReleased = false;
    return {
      reserve: (bytes) => {
        if (isReleased) return;
        if (this.reservedBytes + bytes > this.maxBytes)
          throw new TranslatableProblem('unavailable', translatable('refusal.large-requests'), {
            retryAfter: 1,
          });
        this.reservedBytes += bytes;
        ownBytes += bytes;
      },
      release: () => {
        isReleased = true;
        this.reservedBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}
