/** Notifications between the parts of a server and between replicas: the rules for them, and listeners by channel. */

const maxPayloadBytes = 7_999; // bytes; PostgreSQL's own limit (NOTIFY), kept on both engines

/** Throws when the channel is no plain lower-case name of at most 63 letters, digits and _, or the payload is too long. */
export function checkNotification(channel: string, payload: string): void {
  checkChannel(channel);
  const length = Buffer.byteLength(payload);
  if (length > maxPayloadBytes) {
    throw new RangeError(
      `A notification's payload has ${length} bytes; at most ${maxPayloadBytes} are possible`,
    );
  }
}

/** Throws when the channel is no plain lower-case name of at most 63 letters, digits and _. */
export function checkChannel(channel: string): void {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) throw new RangeError(`"${channel}" is no channel name`);
}

/** One who listens to a channel. */
export interface Listener {
  handler: (payload: string) => void;
  missed: () => void;
}

/** Listeners by channel; one that throws is reported and keeps nobody from hearing. */
export interface Listeners {
  channels(): string[];
  /** Adds one and gives how to remove it again; the removal says whether it was the channel's last. */
  add(channel: string, listener: Listener): () => boolean;
  emit(channel: string, payload: string): void;
  /** Tells all that notifications may be missing. */
  emitMissed(): void;
}

/** `report` gets what a listener threw. */
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
