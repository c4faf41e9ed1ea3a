// What triggers ask of the past, as the caller of the engine provides it.

/** One event of the past; `at` in milliseconds since 1970. */
export interface PastEvent {
  at: number;
  delta: number;
  before: number;
  latest: number;
  severityName: string;
}

/** One action that a trigger started; `at` in milliseconds since 1970. */
export interface PastAction {
  at: number;
}

/** A message behind an event of the past, as templates read it. */
export interface PastMessage extends PastEvent {
  messageId: string;
  view: Record<string, unknown>;
}

/** What happened before; what a batch makes itself is added by the batch. */
export interface History {
  /** Events of a scope that happened after `sinceMs`, in any order; older ones may be among them. */
  eventsOf(scopeId: string, sinceMs: number): readonly PastEvent[];
  /** Actions that a trigger started after `sinceMs`, in any order; older ones may be among them. */
  actionsOf(triggerId: string, sinceMs: number): readonly PastAction[];
  /** Messages behind events of a scope after `sinceMs`, in any order; the latest ones at least. */
  messagesOf?(scopeId: string, sinceMs: number): readonly PastMessage[];
}
