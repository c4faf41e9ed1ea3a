/** Notifications between server components and replicas: validation, and listeners by channel. */

const maxPayloadBytes = 7_999; // bytes; limit of PostgreSQL's NOTIFY, applied to both engines

/**
 * Throws if the channel is not a lower-case name of at most 63 letters, digits and _, or the payload is too
 * long.
 */
export function checkNotification(channel: string, payload: string): void {
  assertValidChannel(channel);
  const length = Buffer.byteLength(payload);
  if (length > maxPayloadBytes) {
    throw new RangeError(
      `A notification's payload has ${length} bytes; at most ${maxPayloadBytes} are possible`,
    );
  }
}

/** Throws if the channel is not a lower-case name of at most 63 letters, digits and _. */
export function assertValidChannel(channel: string): void {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) throw new RangeError(`"${channel}" is no channel name`);
}

/** A listener of a channel. */
export interface Listener {
  handler: (payload: string) => void;
  missed: () => void;
}

/** Listeners by channel; an exception of one is reported and does not affect the others. */
export interface Listeners {
  channels(): string[];
  /**
   * Adds a listener and returns a function that removes it, which returns true if it was the last of the
   * channel.
   */
  add(channel: string, listener: Listener): () => boolean;
  emit(channel: string, payload: string): void;
  /** Tells all listeners that notifications may have been missed. */
  emitMissed(): void;
}

/** `report` receives exceptions of listeners. */
export function createListeners(report: (error: unknown) => void): Listeners {
  const byChannel = new Map<string, Set<Listener>>();
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      report(error);
    }
  };
  return {
    channels: () => [...byChannel.keys()],
    add(channel, listener) {
      const listeners = byChannel.get(channel) ?? new Set();
      byChannel.set(channel, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        return listeners.size === 0 && byChannel.delete(channel);
      };
    },
    emit(channel, payload) {
      for (const { handler } of [...(byChannel.get(channel) ?? [])]) guarded(() => handler(payload));
    },
    emitMissed() {
      for (const listeners of [...byChannel.values()])
        for (const { missed } of [...listeners]) guarded(missed);
    },
  };
}
