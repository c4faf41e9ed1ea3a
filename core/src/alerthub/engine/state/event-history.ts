// Past events, actions and messages that the caller provides for trigger evaluation.

/** A past event; `at` in milliseconds since 1970. */
export interface PastEvent {
  at: number;
  delta: number;
  before: number;
  latest: number;
  severityName: string;
}

/** A past action of a trigger; `at` in milliseconds since 1970. */
export interface PastAction {
  at: number;
}

/** The message of a past event, as templates read it. */
export interface PastMessage extends PastEvent {
  messageId: string;
  view: Record<string, unknown>;
}

/** Stored history; a batch adds its own entries. */
export interface History {
  /** Events of a scope after `sinceMs`, in any order; may include older ones. */
  eventsOf(scopeId: string, sinceMs: number): readonly PastEvent[];
  /** Actions of a trigger after `sinceMs`, in any order; may include older ones. */
  actionsOf(triggerId: string, sinceMs: number): readonly PastAction[];
  /** Messages of a scope's events after `sinceMs`, those of one instant in order; at least the latest ones. */
  messagesOf?(scopeId: string, sinceMs: number): readonly PastMessage[];
  /** Whether `messagesOf` leaves out messages of the scope because they are too many or too large. */
  leavesOutMessages?(scopeId: string): boolean;
}
