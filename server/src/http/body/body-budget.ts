// One bound on the memory of all bodies together that are being received, whoever sends them, until they are done with.
import { Problem } from '@yagura/core/http/problem';

const defaultMaxBytes = 64 * 1024 * 1024;

/** What one request holds of the budget. */
export interface BodyLease {
  /** Takes more. Throws a 503 when all bodies together would be too much. */
  reserve(bytes: number): void;
  /** Gives everything back; later calls change nothing. */
  release(): void;
}

export class BodyBudget {
  private readonly maxBytes: number;
  private reservedBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Bytes that are held now. */
  get usedBytes(): number {
    return this.reservedBytes;
  }

  openLease(): BodyLease {
    let leasedBytes = 0;
    let isReleased = false;
    return {
      reserve: (bytes) => {
        if (isReleased) return;
        if (this.reservedBytes + bytes > this.maxBytes)
          throw new Problem('unavailable', {
            detail: 'too many large requests are under way',
            retryAfter: 1,
          });
        this.reservedBytes += bytes;
        leasedBytes += bytes;
      },
      release: () => {
        isReleased = true;
        this.reservedBytes -= leasedBytes;
        leasedBytes = 0;
      },
    };
  }
}
