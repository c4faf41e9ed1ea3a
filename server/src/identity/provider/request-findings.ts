// What a request to the provider has read about users and sessions. What it stores later depends on it: the sessions of a
// user may be ended in between, and what is stored after that must not outlive their end.

export interface RequestFindings {
  /** The user had this token epoch; the lowest one counts. */
  noteEpoch(userId: string, epoch: number): void;
  /** Undefined when the request has read nothing of the user. */
  epochOf(userId: string): number | undefined;
  /** A user was signed in to this session. */
  noteSession(id: string): void;
  hasSession(id: string): boolean;
}

interface Findings {
  epochs: Map<string, number>;
  sessions: Set<string>;
}

/** `request` returns an object for the request that is being handled; without one, nothing is kept. */
export function createRequestFindings(request: () => object | undefined): RequestFindings {
  const kept = new WeakMap<object, Findings>();

  function findings(): Findings | undefined {
    const current = request();
    if (!current) return undefined;
    const known = kept.get(current) ?? { epochs: new Map(), sessions: new Set() };
    kept.set(current, known);
    return known;
  }

  return {
    noteEpoch(userId, epoch) {
      const epochs = findings()?.epochs;
      epochs?.set(userId, Math.min(epoch, epochs.get(userId) ?? epoch));
    },
    epochOf: (userId) => findings()?.epochs.get(userId),
    noteSession: (id) => void findings()?.sessions.add(id),
    hasSession: (id) => findings()?.sessions.has(id) ?? false,
  };
}
