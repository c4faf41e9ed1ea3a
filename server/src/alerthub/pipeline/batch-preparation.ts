// Evaluates arriving messages and prepares the statement that stores them, for the next batch while the current one is
// being stored: the engine and this thread then work at the same time.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { Database, Queryable } from '../../db/database.ts';
import type { ArrivalRow as Arrived } from '../arrivals/arrival.ts';
import {
  type EvaluatedBatch,
  type EvaluationDeps,
  evaluateFollowing,
  evaluateMessages,
} from './evaluate-batch.ts';
import type { PipelineLock } from './pipeline-lock.ts';
import { toReceivedMessage } from './read-pending-messages.ts';
import { type PreparedStatement, prepareArrivals } from './statements/decision-store.ts';
import { type StorageDeps, toDecidedBatch } from './to-decided-batch.ts';

interface PreparedBatch {
  batch: EvaluatedBatch;
  statement: PreparedStatement;
}

/** A batch that is prepared for the turn after `turn`. */
interface FollowingBatch {
  arrivals: readonly Arrived[];
  turn: number;
  preparing: Promise<PreparedBatch | undefined>;
}

type PreparationDeps = EvaluationDeps & StorageDeps & { database: Database; lock: PipelineLock };

/** To be called in turns of the pipeline. */
export class BatchPreparation {
  private readonly deps: PreparationDeps;
  private following: FollowingBatch | undefined;

  constructor(deps: PreparationDeps) {
    this.deps = deps;
  }

  /** Undefined if the messages must be stored before they are evaluated. */
  async prepare(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
  ): Promise<PreparedBatch | undefined> {
    const prepared = await this.takeFollowing(db, spaceId, arrivals);
    if (prepared) return prepared;
    return this.create(arrivals, (messages) =>
      evaluateMessages(this.deps, db, spaceId, { seqs: [], messages }, true),
    );
  }

  /**
   * Begins to prepare the messages that follow a batch, from the state that this batch will leave. To be called
   * immediately before its statement is sent; once it is stored, call `onStored`. Only the embedded engine runs statements in the order in which they
   * are sent.
   */
  begin(
    db: Queryable,
    previous: EvaluatedBatch,
    arrivals: readonly Arrived[] | undefined,
  ): { onStored(): void } {
    const { database, lock } = this.deps;
    const isOneSpace = arrivals?.every(({ address }) => address.spaceId === previous.spaceId);
    if (database.kind !== 'embedded' || !arrivals || !isOneSpace) return { onStored: () => undefined };
    const preparing = this.create(arrivals, (messages) =>
      evaluateFollowing(this.deps, db, previous, messages),
    ).catch(() => undefined);
    const following = { arrivals, turn: lock.turn, preparing };
    return {
      onStored: () => {
        this.following = following;
      },
    };
  }

  /** What was prepared for these messages, unless something else had a turn or the settings have changed since. */
  private async takeFollowing(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
  ): Promise<PreparedBatch | undefined> {
    const { following } = this;
    this.following = undefined;
    if (following?.turn !== this.deps.lock.turn - 1 || !isSame(following.arrivals, arrivals))
      return undefined;
    const [prepared, config] = await Promise.all([following.preparing, this.deps.config.of(db, spaceId)]);
    return prepared?.batch.config === config ? prepared : undefined;
  }

  private async create(
    arrivals: readonly Arrived[],
    evaluate: (messages: ReceivedMessage[]) => Promise<EvaluatedBatch | undefined>,
  ): Promise<PreparedBatch | undefined> {
    const batch = await evaluate(arrivals.map(toReceivedMessage));
    if (!batch || batch.taken.messages.length < arrivals.length) return undefined;
    // Storing a scope may fail and have to be tried again.
    if (batch.result.createdScopes.length > 0) return undefined;
    return { batch, statement: prepareArrivals(toDecidedBatch(this.deps, batch), arrivals) };
  }
}

function isSame(some: readonly Arrived[], others: readonly Arrived[]): boolean {
  return some.length === others.length && some.every((row, index) => row === others[index]);
}
