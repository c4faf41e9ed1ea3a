// Claims rows of a queue; a row that the database refuses to claim does not hold up the others.
import type { Clock } from '../common/clock.ts';
import { errorFields, type Log } from '../common/log.ts';
import { isRowFault, runIsolatingFaults } from './poison-row-guard.ts';
import { PostponedRows } from './postponed-rows.ts';

export interface ClaimRange {
  max: number;
  /** Claim these rows only; null for all that are due. */
  only: readonly string[] | null;
  /** Do not claim these rows. */
  except: readonly string[];
}

export interface GuardedClaim<Row> {
  /** Used in logs. */
  queue: string;
  claim(range: ClaimRange): Promise<Row[]>;
  /** Ids of the rows that `claim` would claim. */
  findDue(range: ClaimRange): Promise<string[]>;
  /** Ends a row that could not be claimed this often; true if it is gone from the queue. */
  end(id: string, error: unknown, attempts: number): Promise<boolean>;
}

/** Bounds one call when many rows are refused; the next call continues. */
const maxRounds = 100;

export class ClaimGuard<Row> {
  private readonly queue: GuardedClaim<Row>;
  private readonly log: Log;
  private readonly clock: Clock;
  private readonly postponed: PostponedRows;

  constructor({ clock, log }: { clock: Clock; log: Log }, queue: GuardedClaim<Row>) {
    this.queue = queue;
    this.log = log;
    this.clock = clock;
    this.postponed = new PostponedRows(clock);
  }

  /** Claims due rows but those in `except`. A row that cannot be claimed is ended, or tried again later. */
  async claim(max: number, except: readonly string[] = []): Promise<Row[]> {
    const claimed: Row[] = [];
    for (let round = 0; claimed.length < max && round < maxRounds; round += 1) {
      const now = this.clock.now();
      const range = {
        ...{ max: max - claimed.length, only: null },
        except: [...this.postponed.ids(now), ...except],
      };
      try {
        const rows = await this.queue.claim(range);
        claimed.push(...rows);
        // Every due row but those in `except` was claimed, so no other row that was refused earlier is left.
        if (rows.length < range.max) this.postponed.deleteExpired(now);
        return claimed;
      } catch (error) {
        if (!isRowFault(error)) return orThrow(claimed, error);
        const ids = await this.queue.findDue(range);
        if (ids.length === 0) return orThrow(claimed, error);
        try {
          await this.claimIsolating(ids, claimed);
        } catch (second) {
          return orThrow(claimed, second);
        }
      }
    }
    return claimed;
  }

  private async claimIsolating(ids: readonly string[], claimed: Row[]): Promise<void> {
    await runIsolatingFaults(
      ids,
      async (only) => {
        claimed.push(...(await this.queue.claim({ max: only.length, only, except: [] })));
      },
      (id, error) => this.handleRefused(id, error),
    );
  }

  private async handleRefused(id: string, error: unknown): Promise<void> {
    const { queue } = this.queue;
    const attempts = this.postponed.postpone(id);
    const message = 'a row could not be claimed';
    this.log({ level: 'error', message, queue, id, attempts, ...errorFields(error) });
    try {
      if (await this.queue.end(id, error, attempts)) this.postponed.delete(id);
    } catch (second) {
      if (!isRowFault(second)) throw second;
      const text = 'a row that cannot be claimed could not be ended';
      this.log({ level: 'error', message: text, queue, id, ...errorFields(second) });
    }
  }
}

/** Rows already claimed are processed, whatever happened after. */
function orThrow<Row>(claimed: Row[], error: unknown): Row[] {
  if (claimed.length === 0) throw error;
  return claimed;
}
