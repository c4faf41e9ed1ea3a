// History that the triggers of a batch see: stored entries plus those of the batch so far.
import type { History, PastAction, PastEvent, PastMessage } from './event-history.ts';

/** Whether a past entry counts in a window that starts at `sinceMs`; created once per condition. */
export type CountPredicate<T> = (past: T, sinceMs: number) => boolean;

/** Keeps running counts per window, so that a busy scope is not recounted for every event. */
export class BatchHistory {
  readonly #stored: History;
  readonly #events = new Map<string, RunningCounts<PastEvent>>();
  readonly #actions = new Map<string, RunningCounts<PastAction>>();
  readonly #messages = new Map<string, PastMessage[]>();

  constructor(stored: History) {
    this.#stored = stored;
  }

  addEvent(scopeId: string, event: PastEvent): void {
    countsFor(this.#events, scopeId).add(event);
  }

  addMessage(scopeId: string, message: PastMessage): void {
    const known = this.#messages.get(scopeId);
    if (known) known.push(message);
    else this.#messages.set(scopeId, [message]);
  }

  messagesOf(scopeId: string, sinceMs: number): readonly PastMessage[] {
    const stored = this.#stored.messagesOf?.(scopeId, sinceMs) ?? [];
    return [...stored, ...(this.#messages.get(scopeId) ?? [])];
  }

  leavesOutMessages(scopeId: string): boolean {
    return this.#stored.leavesOutMessages?.(scopeId) ?? false;
  }

  addAction(triggerId: string, at: number): void {
    countsFor(this.#actions, triggerId).add({ at });
  }

  countEvents(scopeId: string, sinceMs: number, counted: CountPredicate<PastEvent>): number {
    const stored = (): readonly PastEvent[] => this.#stored.eventsOf(scopeId, sinceMs);
    return countsFor(this.#events, scopeId).count(sinceMs, stored, counted);
  }

  countActions(triggerId: string, sinceMs: number, counted: CountPredicate<PastAction>): number {
    const stored = (): readonly PastAction[] => this.#stored.actionsOf(triggerId, sinceMs);
    return countsFor(this.#actions, triggerId).count(sinceMs, stored, counted);
  }
}

class RunningCounts<T> {
  readonly #made: T[] = [];
  readonly #counts = new Map<CountPredicate<T>, { sinceMs: number; done: number; count: number }>();

  add(item: T): void {
    this.#made.push(item);
  }

  count(sinceMs: number, stored: () => readonly T[], counted: CountPredicate<T>): number {
    let state = this.#counts.get(counted);
    if (state?.sinceMs !== sinceMs) {
      state = { sinceMs, done: 0, count: 0 };
      for (const item of stored()) if (counted(item, sinceMs)) state.count += 1;
      this.#counts.set(counted, state);
    }
    for (; state.done < this.#made.length; state.done += 1) {
      if (counted(this.#made[state.done]!, sinceMs)) state.count += 1;
    }
    return state.count;
  }
}

function countsFor<T>(lists: Map<string, RunningCounts<T>>, key: string): RunningCounts<T> {
  const known = lists.get(key);
  if (known) return known;
  const made = new RunningCounts<T>();
  lists.set(key, made);
  return made;
}
