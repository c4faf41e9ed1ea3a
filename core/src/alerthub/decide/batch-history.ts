// The history that triggers of a batch see: what was stored before it and what it made so far.
import type { History, PastEvent } from './conditions.ts';

/**
 * Conditions of a busy scope ask for the same window again and again, so one list for each scope and window is kept and
 * grows with the batch.
 */
export class BatchHistory implements History {
  readonly #stored: History;
  readonly #events = new Map<string, Kept<PastEvent>>();
  readonly #actions = new Map<string, Kept<{ at: number }>>();

  constructor(stored: History) {
    this.#stored = stored;
  }

  addEvent(scopeId: string, event: PastEvent): void {
    keptOf(this.#events, scopeId).add(event);
  }

  addAction(triggerId: string, at: number): void {
    keptOf(this.#actions, triggerId).add({ at });
  }

  eventsOf(scopeId: string, sinceMs: number): readonly PastEvent[] {
    return keptOf(this.#events, scopeId).list(sinceMs, () => this.#stored.eventsOf(scopeId, sinceMs));
  }

  actionsOf(triggerId: string, sinceMs: number): readonly { at: number }[] {
    return keptOf(this.#actions, triggerId).list(sinceMs, () => this.#stored.actionsOf(triggerId, sinceMs));
  }
}

class Kept<T> {
  readonly #made: T[] = [];
  readonly #windows = new Map<number, T[]>();

  add(item: T): void {
    this.#made.push(item);
    for (const list of this.#windows.values()) list.push(item);
  }

  list(since: number, stored: () => readonly T[]): readonly T[] {
    const known = this.#windows.get(since);
    if (known) return known;
    const list = [...stored(), ...this.#made];
    this.#windows.set(since, list);
    return list;
  }
}

function keptOf<T>(lists: Map<string, Kept<T>>, key: string): Kept<T> {
  const known = lists.get(key);
  if (known) return known;
  const made = new Kept<T>();
  lists.set(key, made);
  return made;
}
