// Evaluates arriving messages and prepares the statement that stores them. The next batch is prepared while the current one
// is being stored, so that the engine and this thread work at the same time, and the state after a batch is kept.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import type { Database, Queryable } from '../../db/database.ts';
import type { ArrivalRow as Arrived } from '../arrivals/arrival.ts';
import { applyResult } from './apply-result.ts';
import {
  type BatchState,
  type EvaluatedMessages,
  type EvaluationDeps,
  evaluateWith,
  loadBatchState,
  loadFollowingState,
  type PreviousBatch,
  type UnreadMessages,
} from './evaluate-batch.ts';
import type { PipelineLock } from './pipeline-lock.ts';
import { toReceivedMessage } from './read-pending-messages.ts';
import { type PreparedStatement, prepareArrivals } from './statements/decision-store.ts';
import { type StorageDeps, toDecidedBatch } from './to-decided-batch.ts';

interface PreparedBatch {
  batch: EvaluatedMessages;
  statement: PreparedStatement;
}

interface FollowingBatch {
  arrivals: readonly Arrived[];
  preparing: Promise<PreparedBatch | undefined>;
}

/** Valid as long as the lock counts these changes. */
interface LastStored {
  changes: number;
  previous: PreviousBatch;
  following: FollowingBatch | undefined;
}

type PreparationDeps = EvaluationDeps & StorageDeps & { database: Database; lock: PipelineLock };

/** To be called in turns of the pipeline. Only the embedded engine has no other process that changes the state. */
export class BatchPreparation {
  private readonly deps: PreparationDeps;
  private last: LastStored | undefined;

  constructor(deps: PreparationDeps) {
    this.deps = deps;
  }

  /** Undefined if the messages must be stored before they are evaluated. */
  async prepare(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
  ): Promise<PreparedBatch | undefined> {
    const last = await this.takeLast(db, spaceId);
    if (last?.following && isSame(last.following.arrivals, arrivals)) {
      const prepared = await last.following.preparing;
      if (prepared) return prepared;
    }
    const messages = unread(arrivals);
    const kept = last && (await loadFollowingState(this.deps, db, last.previous, messages));
    const state = kept ?? (await loadBatchState(this.deps, db, spaceId, messages));
    return this.evaluate(db, state, arrivals, messages);
  }

  /**
   * Begins to prepare the messages that follow a batch, from the state that it will leave. To be called immediately before
   * its statement is sent; once it is stored, call `onStored`.
   */
  begin(
    db: Queryable,
    { spaceId, config, result, loaded: { history: _, ...loaded } }: EvaluatedMessages,
    upcoming: readonly Arrived[] | undefined,
  ): { onStored(): void } {
    const { database, lock } = this.deps;
    if (database.kind !== 'embedded') return { onStored: () => undefined };
    applyResult(loaded, result);
    const previous = { spaceId, config, loaded };
    const isOneSpace = upcoming?.every(({ address }) => address.spaceId === spaceId);
    const following = isOneSpace ? this.beginFollowing(db, previous, result, upcoming!) : undefined;
    const { changes } = lock;
    return {
      onStored: () => {
        this.last = { changes, previous, following };
      },
    };
  }

  private beginFollowing(
    db: Queryable,
    previous: PreviousBatch,
    unstored: BatchResult,
    arrivals: readonly Arrived[],
  ): FollowingBatch {
    const messages = unread(arrivals);
    const loading = loadFollowingState(this.deps, db, previous, messages, unstored);
    const prepare = async () => {
      // The statement of the previous batch is sent first.
      const [state] = await Promise.all([loading, new Promise((resolve) => setImmediate(resolve))]);
      return state && this.evaluate(db, state, arrivals, messages);
    };
    return { arrivals, preparing: prepare().catch(() => undefined) };
  }

  private async evaluate(
    db: Queryable,
    state: BatchState,
    arrivals: readonly Arrived[],
    { read }: UnreadMessages,
  ): Promise<PreparedBatch | undefined> {
    const waiting = { seqs: [], messages: read() };
    const batch = await evaluateWith(this.deps, db, state, waiting, true);
    // Storing a scope may fail and have to be tried again.
    if (batch.taken.messages.length < arrivals.length || batch.result.createdScopes.length > 0)
      return undefined;
    return { batch, statement: prepareArrivals(toDecidedBatch(this.deps, batch), arrivals) };
  }

  /** The batch that was stored last, unless something else has changed since. */
  private async takeLast(db: Queryable, spaceId: string): Promise<LastStored | undefined> {
    const { last } = this;
    this.last = undefined;
    // The current turn counts, too.
    if (last?.changes !== this.deps.lock.changes - 1 || last.previous.spaceId !== spaceId) return undefined;
    const config = await this.deps.config.of(db, spaceId);
    return config === last.previous.config ? last : undefined;
  }
}

/** Converted at most once: the data of a body that rules have read is kept at its message. */
function unread(arrivals: readonly Arrived[]): UnreadMessages {
  let messages: ReceivedMessage[] | undefined;
  return {
    slots: arrivals.map(({ address }) => address),
    read: () => {
      messages ??= arrivals.map(toReceivedMessage);
      return messages;
    },
  };
}

function isSame(some: readonly Arrived[], others: readonly Arrived[]): boolean {
  return some.length === others.length && some.every((row, index) => row === others[index]);
}
