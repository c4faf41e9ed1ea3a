// How long indexing rests, so that others have the database.

/** Rest after a transaction, as a multiple of its duration. */
const restFactor = { usual: 6, withBacklog: 60 };
/** Messages that wait for evaluation, which then comes before the search. */
const backlogMessages = 1000;

/** Milliseconds until the next transaction. */
export function indexRestMs(tookMs: number, waitingMessages: number): number {
  return tookMs * (waitingMessages > backlogMessages ? restFactor.withBacklog : restFactor.usual);
}
