// The in-flight rule (spec section 4): an identical pending request is shared, a different one under the same key cancels the older.

/** What callers of a cancelled request get; its message is empty, so that faces stay silent. */
export class CancelledRequest extends Error {
  constructor() {
    super('');
    this.name = 'AbortError';
  }
}

interface Pending {
  identity: string;
  controller: AbortController;
  outcome: Promise<unknown>;
}

export interface InFlight {
  /** Runs `start`, or shares the pending run of the same key and identity. An older run of another identity is cancelled. */
  run<T>(key: string, identity: string, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels what is pending under the key, if anything. */
  cancel(key: string): void;
}

/** A keeper of pending requests. `identity` must tell requests apart whose answers differ in content or type. */
export function inFlight(): InFlight {
  const pending = new Map<string, Pending>();

  function cancel(key: string): void {
    const older = pending.get(key);
    pending.delete(key);
    older?.controller.abort(new CancelledRequest());
  }

  function run<T>(key: string, identity: string, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const current = pending.get(key);
    if (current?.identity === identity) return current.outcome as Promise<T>;
    cancel(key);
    const controller = new AbortController();
    const outcome = cancellable(controller.signal, start).finally(() => {
      if (pending.get(key)?.controller === controller) pending.delete(key);
    });
    pending.set(key, { identity, controller, outcome });
    return outcome;
  }

  return { run, cancel };
}

/** Ends with the signal even when the work ignores it, so a late answer can never overtake a newer one. */
function cancellable<T>(signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    Promise.resolve()
      .then(() => start(signal))
      .then(resolve, reject);
  });
}
