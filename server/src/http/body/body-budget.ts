import { SpaceShares } from '../../common/spaces/space-shares.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';

// Limits the memory of request bodies being received or processed: of all together, and of each space.

const defaultMaxBytes = 64 * 1024 * 1024;

/** One request's share of the budget. */
export interface BodyReservation {
  /** Reserves more bytes. Throws a 503 when the budget of the space, or of all, would be exceeded. */
  reserve(bytes: number): void;
  /** Returns all reserved bytes; further calls have no effect. */
  release(): void;
}

export class BodyBudget {
  private readonly shares: SpaceShares;

  constructor(maxBytes = defaultMaxBytes) {
    this.shares = new SpaceShares({ max: maxBytes });
  }

  /** Bytes currently reserved. */
  get usedBytes(): number {
    return this.shares.taken;
  }

  openReservation(space: string): BodyReservation {
    const { shares } = this;
    let ownBytes = 0;
    let isReleased = false;
    return {
      reserve: (bytes) => {
        if (isReleased) return;
        if (bytes > shares.freeFor(space))
          throw new TranslatableProblem('unavailable', translatable('refusal.large-requests'), {
            retryAfter: 1,
          });
        shares.take(space, bytes);
        ownBytes += bytes;
      },
      release: () => {
        isReleased = true;
        shares.release(space, ownBytes);
        ownBytes = 0;
      },
    };
  }
}
