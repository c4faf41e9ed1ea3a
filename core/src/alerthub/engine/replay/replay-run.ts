// Runs one configuration over past input and simulates its severities, waiting triggers and recoveries over
// time.

import type { ReceivedMessage } from '../data/flow-data.ts';
import { sha256 } from '../data/sha256.ts';
import { type CompiledConfig, requiredHistory } from '../evaluation/compile-config.ts';
import type { BatchResult, ContributionState, EventRow, WaitingTrigger } from '../execution/batch.ts';
import { type ConfigExtension, extendConfig } from '../execution/config-extension.ts';
import { decideBatch, decideEvents, type RequestedSeverityChange } from '../execution/decide-batch.ts';
import { decideDueTriggers } from '../execution/decide-due-triggers.ts';
import { recoveryTimes } from '../execution/recovery-times.ts';
import type { History, PastAction, PastEvent } from '../state/event-history.ts';

/** A past input: a message, or a change not caused by a message. */
export type ReplayInput = { id: string; at: number } & (
  | { message: ReceivedMessage; change?: undefined }
  | { change: RequestedSeverityChange; message?: undefined }
);

/** An event of the replay; `key` is the same in another run if it has the same cause. */
export interface ReplayEvent {
  key: string;
  at: number;
  scopeId: string;
  severityName: string;
  delta: number;
  previousSeverity: number;
  severity: number;
  status: string;
  messageId: string | null;
}

/** A firing of the replay, keyed by its event and its trigger. */
export interface ReplayAction {
  key: string;
  at: number;
  scopeId: string;
  triggerId: string;
  messageId: string | null;
}

export interface ReplayStepResult {
  events: ReplayEvent[];
  actions: ReplayAction[];
}

interface PendingTrigger {
  row: WaitingTrigger;
  at: number;
  event: EventRow;
  key: string;
  message: ReceivedMessage | undefined;
}

/** State at the beginning of the replayed period: severities, and the time of each scope's last event. */
interface ReplayStart {
  state: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Contributions that were the same then as they are now; others are not known. */
  contributions: ContributionState;
  lastEvents: ReadonlyMap<string, number>;
  since: number;
}

/** Maximum number of events per scope kept for conditions, as in live evaluation. */
const maxHistoryEvents = 10_000;
const never = Number.POSITIVE_INFINITY;
/** Maximum number of evaluation rounds at one instant, because a round may cause further ones. */
const maxIterationsPerInstant = 10_000;

export class ReplayRun {
  #config: CompiledConfig;
  #extension: ConfigExtension | undefined;
  readonly #createdScopes = new Map<string, string>();
  readonly #state = new Map<string, Map<string, number>>();
  readonly #contributions = new Map<string, Map<string, Map<string, number>>>();
  readonly #events = new Map<string, PastEvent[]>();
  readonly #actions = new Map<string, PastAction[]>();
  readonly #needs: ReturnType<typeof requiredHistory>;
  readonly #recoverAt = new Map<string, number>();
  readonly #history: History;
  readonly #nextId = (): string => {
    this.#lastId += 1;
    return String(this.#lastId);
  };
  #waiting: PendingTrigger[] = [];
  #nextDue = never;
  #lastId = 0;

  constructor(config: CompiledConfig, { state, contributions, lastEvents, since }: ReplayStart) {
    this.#config = config;
    for (const scopeId of config.scopes.keys()) {
      const stored = [...(contributions.get(scopeId) ?? [])];
      this.#contributions.set(scopeId, new Map(stored.map(([name, own]) => [name, new Map(own)])));
    }
    for (const [scopeId, values] of state) {
      this.#state.set(scopeId, new Map(values));
      const seconds = config.scopes.get(scopeId)?.source.recoveryTime ?? null;
      if (seconds === null || this.severityOf(scopeId) === 0) continue;
      // A recovery that was due before the period happens at its beginning.
      const at = Math.max(since, (lastEvents.get(scopeId) ?? since) + seconds * 1000);
      this.#recoverAt.set(scopeId, at);
      this.#nextDue = Math.min(this.#nextDue, at);
    }
    this.#needs = requiredHistory(config, config.scopes.keys());
    this.#history = {
      eventsOf: (scopeId, since) => itemsAfter(this.#events.get(scopeId) ?? [], since),
      actionsOf: (triggerId, since) => itemsAfter(this.#actions.get(triggerId) ?? [], since),
    };
  }

  /** The highest current severity of a scope. */
  severityOf(scopeId: string): number {
    return Math.max(0, ...(this.#state.get(scopeId)?.values() ?? []));
  }

  /** Advances the time to the input's, `now` in ISO 8601, and then evaluates the input. */
  step(input: ReplayInput, now: string): ReplayStepResult {
    const stepResult = this.advanceTo(input.at);
    const base = this.#base(now, input.at);
    const result = input.message
      ? decideBatch({ ...base, messages: [input.message] })
      : decideEvents({ ...base, changes: [input.change] });
    this.#keep(result, input.at, input.id, input.message, stepResult);
    return stepResult;
  }

  /** Runs the waiting triggers and recoveries that are due by then. */
  advanceTo(then: number): ReplayStepResult {
    const stepResult: ReplayStepResult = { events: [], actions: [] };
    let iterations = 0;
    let last = -never;
    while (this.#nextDue <= then) {
      const at = this.#nextDue;
      iterations = at > last ? 1 : iterations + 1;
      last = Math.max(at, last);
      if (iterations > maxIterationsPerInstant)
        throw new Error(`the replay does not get past ${new Date(at).toISOString()}`);
      const now = new Date(at).toISOString();
      const due = this.#waiting.filter((one) => one.at <= at);
      if (due.length > 0) {
        const dueTriggers = due.map(({ row, event, message }) => ({ ...row, event, message }));
        this.#keep(decideDueTriggers({ ...this.#base(now, at), dueTriggers }), at, '', undefined, stepResult);
      } else {
        const due = [...this.#recoverAt].filter(([, dueAt]) => dueAt <= at);
        const changes = due.flatMap(([scopeId]) => this.#recoveries(scopeId));
        for (const [scopeId] of due) this.#recoverAt.delete(scopeId);
        // Nothing to recover: compute the next due time without these scopes.
        if (changes.length === 0) this.#plan();
        const result = decideEvents({ ...this.#base(now, at), changes });
        this.#keep(result, at, `recovery ${at}`, undefined, stepResult);
      }
    }
    return stepResult;
  }

  #recoveries(scopeId: string): RequestedSeverityChange[] {
    return [...(this.#state.get(scopeId) ?? [])].flatMap(([severityName, value]) =>
      value > 0 ? [{ scopeId, severityName, change: { to: 0 }, source: 'recovery' as const }] : [],
    );
  }

  #base(now: string, nowMs: number) {
    return {
      config: this.#config,
      state: this.#state,
      contributions: this.#contributions,
      history: this.#history,
      now,
      nowMs,
      nextId: this.#nextId,
      nextScopeId: createdScopeId,
    };
  }

  #keep(
    result: BatchResult,
    at: number,
    cause: string,
    message: ReceivedMessage | undefined,
    stepResult: ReplayStepResult,
  ): void {
    this.#addScopes(result);
    const keys = new Map<string, { key: string; message: ReceivedMessage | undefined }>();
    const rows = new Map<string, EventRow>();
    for (const { row, key, message, event } of this.#waiting) {
      keys.set(row.eventId, { key, message });
      rows.set(row.eventId, event);
    }
    for (const [index, event] of result.events.entries()) {
      const { scopeId, severityName, delta, previousSeverity, severity, status, messageId } = event;
      const nth = result.events
        .slice(0, index)
        .filter((one) => one.scopeId === scopeId && one.severityName === severityName).length;
      const key = `${cause} ${scopeId} ${severityName} ${nth}`;
      keys.set(event.eventId, { key, message });
      rows.set(event.eventId, event);
      stepResult.events.push({
        key,
        at,
        scopeId,
        severityName,
        delta,
        previousSeverity,
        severity,
        status,
        messageId,
      });
      if (this.#needs.eventSeconds.has(scopeId)) {
        const past = { at, delta, before: previousSeverity, latest: severity, severityName };
        appendBounded(this.#events, scopeId, past);
      }
    }
    for (const { scopeId, name } of result.evictedSeverities) this.#state.get(scopeId)?.delete(name);
    for (const { scopeId, name, value } of result.severities) {
      const own = this.#state.get(scopeId) ?? new Map<string, number>();
      // Keep the map ordered by last change, least recent first.
      own.delete(name);
      this.#state.set(scopeId, own.set(name, value));
    }
    for (const { scopeId, name, fingerprint, value } of result.contributions) {
      const ofScope = this.#contributions.get(scopeId)!;
      const own = ofScope.get(name) ?? new Map<string, number>();
      if (value > 0) ofScope.set(name, own.set(fingerprint, value));
      else own.delete(fingerprint);
    }
    for (const [scopeId, recoverAt] of recoveryTimes(this.#config, result, at)) {
      if (recoverAt === null) this.#recoverAt.delete(scopeId);
      else this.#recoverAt.set(scopeId, recoverAt);
    }
    for (const { triggerId, eventId, scopeId, messageId } of startedActions(result)) {
      if (!triggerId || !eventId) continue;
      if (this.#needs.actionSeconds.has(triggerId)) appendBounded(this.#actions, triggerId, { at });
      const key = `${keys.get(eventId)?.key ?? eventId} ${triggerId}`;
      stepResult.actions.push({ key, at, scopeId: scopeId ?? '', triggerId, messageId });
    }
    this.#wait(result, keys, rows);
  }

  #addScopes({ createdScopes }: BatchResult): void {
    for (const created of createdScopes) {
      this.#extension ??= extendConfig(this.#config);
      this.#extension.add(created);
      this.#config = this.#extension.config;
      const { scopeId, displayName } = created.scope.source;
      this.#contributions.set(scopeId, new Map());
      this.#createdScopes.set(scopeId, displayName);
    }
  }

  /** Display names of the scopes that the replay has created, by id. */
  get createdScopes(): ReadonlyMap<string, string> {
    return this.#createdScopes;
  }

  #wait(
    result: BatchResult,
    keys: ReadonlyMap<string, { key: string; message: ReceivedMessage | undefined }>,
    rows: ReadonlyMap<string, EventRow>,
  ): void {
    for (const { eventId, triggers } of result.updatedEvents) {
      const row = rows.get(eventId);
      if (row) row.triggers = triggers;
    }
    if (result.released.length > 0 || result.waiting.length > 0) {
      const released = new Set(result.released);
      // Only the latest hold of a trigger by a mute schedule is kept.
      const held = new Set(
        result.waiting.filter(({ cause }) => cause === 'mute').map((one) => one.triggerId),
      );
      this.#waiting = this.#waiting.filter(
        ({ row }) =>
          !released.has(row.waitingTriggerId) && !(row.cause === 'mute' && held.has(row.triggerId)),
      );
      for (const row of result.waiting) {
        const { key, message } = keys.get(row.eventId)!;
        this.#waiting.push({ row, at: Date.parse(row.dueAt), event: rows.get(row.eventId)!, key, message });
      }
    }
    this.#plan();
  }

  #plan(): void {
    this.#nextDue = never;
    for (const { at } of this.#waiting) if (at < this.#nextDue) this.#nextDue = at;
    for (const at of this.#recoverAt.values()) if (at < this.#nextDue) this.#nextDue = at;
  }
}

/** Depends only on the display name, so that it is the same in another run. */
function createdScopeId(displayName: string): string {
  const digits = sha256(displayName);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

function startedActions(result: BatchResult) {
  const runbooks = result.runbookStarts.map(({ triggerId, eventId, sourceScopeId, sourceMessageId }) => ({
    triggerId,
    eventId,
    scopeId: sourceScopeId,
    messageId: sourceMessageId,
  }));
  return [...result.firings, ...runbooks];
}

/** The entries after `since` of a list sorted by time. */
function itemsAfter<T extends { at: number }>(list: readonly T[], since: number): readonly T[] {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.at > since) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? list : list.slice(low);
}

function appendBounded<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key) ?? [];
  list.push(item);
  // Trim rarely, so that the limit costs little.
  if (list.length > maxHistoryEvents * 2) list.splice(0, list.length - maxHistoryEvents);
  lists.set(key, list);
}
