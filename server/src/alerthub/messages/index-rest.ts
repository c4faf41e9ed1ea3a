// How long indexing rests, so that others have the database.

/** Rest after a transaction, as a multiple of its duration. */
const restFactor = { usual: 6, withBacklog: 60 };
/** Messages that wait for evaluation, which then comes before the search. */
const backlogMessages = 1000;
/** A transaction that waited behind something long, such as VACUUM, is not followed by minutes of rest. */
const maxRestMs = 5_000;

/** Milliseconds until the next transaction. */
export function indexRestMs(tookMs: number, waitingMessages: number): number {
  const factor = waitingMessages > backlogMessages ? restFactor.withBacklog : restFactor.usual;
  return Math.min(tookMs * factor, maxRestMs);
}
