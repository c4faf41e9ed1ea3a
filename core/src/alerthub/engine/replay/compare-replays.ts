// Compares two replay runs, with the current and with a changed configuration, in bounded memory.
import type { CompiledConfig } from '../evaluation/compile-config.ts';
import type { ContributionState } from '../execution/batch.ts';
import {
  type ReplayAction,
  type ReplayEvent,
  type ReplayInput,
  ReplayRun,
  type ReplayStepResult,
} from './replay-run.ts';

type ReplayEventValues = Omit<ReplayEvent, 'key' | 'at' | 'messageId' | 'scopeId' | 'severityName'>;

/**
 * A differing event; `before` is the result of the current configuration, `after` that of the changed one.
 */
export interface ReplayDifference {
  kind: 'added' | 'lost' | 'moved';
  at: string;
  scopeId: string;
  severityName: string;
  messageId: string | null;
  before: ReplayEventValues | null;
  after: ReplayEventValues | null;
}

export interface ReplayActionDifference {
  kind: 'added' | 'lost';
  at: string;
  scopeId: string;
  triggerId: string;
  messageId: string | null;
}

/**
 * The severity of a scope over time, as the maximum of each interval, for the current and the changed
 * configuration.
 */
export interface ReplayCurve {
  scopeId: string;
  points: { at: string; before: number; after: number }[];
}

export interface ReplayResult {
  messages: number;
  events: { same: number; added: number; lost: number; moved: number };
  /** `moved`: the same action for the same event at another time. */
  actions: { same: number; added: number; lost: number; moved: number };
  /** The first differences; the counts include all. */
  differences: ReplayDifference[];
  actionDifferences: ReplayActionDifference[];
  /** Scopes that rules would have created. */
  createdScopes: { scopeId: string; displayName: string }[];
  curves: ReplayCurve[];
}

/** Maximum number of differences listed individually; all are counted. */
export const maxDifferences = 100;
/** Maximum number of actions that only one run has started yet and that the other may still start. */
const maxUnmatchedActions = 10_000;
/** Scopes with a severity curve, and the number of intervals of each curve. */
export const maxCurves = 10;
const pointsPerCurve = 120;

export class ReplayComparison {
  readonly #before: ReplayRun;
  readonly #after: ReplayRun;
  readonly #scopeIds: ReadonlySet<string>;
  readonly #curves: CurveRecorder[];
  readonly #lost = new Map<string, ReplayAction>();
  readonly #added = new Map<string, ReplayAction>();
  readonly #result: ReplayResult = {
    messages: 0,
    events: { same: 0, added: 0, lost: 0, moved: 0 },
    actions: { same: 0, added: 0, lost: 0, moved: 0 },
    differences: [],
    actionDifferences: [],
    createdScopes: [],
    curves: [],
  };

  constructor(options: {
    before: CompiledConfig;
    after: CompiledConfig;
    /** The scopes to compare. */
    scopeIds: ReadonlySet<string>;
    state: ReadonlyMap<string, ReadonlyMap<string, number>>;
    contributions: ContributionState;
    /** Time of each scope's last event before the period, in epoch milliseconds. */
    lastEvents: ReadonlyMap<string, number>;
    since: number;
    until: number;
  }) {
    this.#before = new ReplayRun(options.before, options);
    this.#after = new ReplayRun(options.after, options);
    this.#scopeIds = options.scopeIds;
    this.#curves = [...options.scopeIds]
      .slice(0, maxCurves)
      .map((scopeId) => new CurveRecorder(scopeId, options.since, options.until, this.#before, this.#after));
  }

  /** Processes an input; inputs must come in chronological order. */
  step(input: ReplayInput): void {
    for (const curve of this.#curves) curve.advanceTo(input.at);
    const now = new Date(input.at).toISOString();
    this.#compare(this.#before.step(input, now), this.#after.step(input, now));
    if (input.message) this.#result.messages += 1;
    for (const curve of this.#curves) curve.recordSeverity();
  }

  /** Advances to the end and returns the result. */
  finish(until: number): ReplayResult {
    for (const curve of this.#curves) curve.advanceTo(until);
    this.#compare(this.#before.advanceTo(until), this.#after.advanceTo(until));
    for (const curve of this.#curves) curve.recordSeverity();
    const left = [
      ...[...this.#lost.values()].map((action) => ({ kind: 'lost' as const, action })),
      ...[...this.#added.values()].map((action) => ({ kind: 'added' as const, action })),
    ].sort((one, other) => one.action.at - other.action.at);
    for (const { kind, action } of left) this.#differAction(kind, action);
    const curves = this.#curves.map((curve) => curve.toReplayCurve());
    const created = new Map([...this.#before.createdScopes, ...this.#after.createdScopes]);
    const createdScopes = [...created].map(([scopeId, displayName]) => ({ scopeId, displayName }));
    return { ...this.#result, createdScopes, curves };
  }

  #compare(before: ReplayStepResult, after: ReplayStepResult): void {
    if (before.events.length > 0 || after.events.length > 0) this.#compareEvents(before.events, after.events);
    if (before.actions.length > 0 || after.actions.length > 0)
      this.#compareActions(before.actions, after.actions);
  }

  #compareEvents(before: readonly ReplayEvent[], after: readonly ReplayEvent[]): void {
    const left = new Map(before.map((event) => [event.key, event]));
    for (const event of after) {
      if (!this.#isCompared(event.scopeId)) continue;
      const old = left.get(event.key);
      left.delete(event.key);
      if (old && isSame(old, event)) this.#result.events.same += 1;
      else this.#differ(old ? 'moved' : 'added', old, event);
    }
    for (const old of left.values()) if (this.#isCompared(old.scopeId)) this.#differ('lost', old, undefined);
  }

  #isCompared(scopeId: string): boolean {
    const isCreated = [this.#before, this.#after].some((run) => run.createdScopes.has(scopeId));
    return isCreated || this.#scopeIds.has(scopeId);
  }

  #differ(
    kind: ReplayDifference['kind'],
    before: ReplayEvent | undefined,
    after: ReplayEvent | undefined,
  ): void {
    this.#result.events[kind] += 1;
    if (this.#result.differences.length >= maxDifferences) return;
    const { at, scopeId, severityName, messageId } = (after ?? before)!;
    this.#result.differences.push({
      kind,
      at: new Date(at).toISOString(),
      scopeId,
      severityName,
      messageId,
      before: eventValues(before),
      after: eventValues(after),
    });
  }

  /** The other run may still start an action that only one run has started so far. */
  #compareActions(before: readonly ReplayAction[], after: readonly ReplayAction[]): void {
    const now = new Set(before.map(({ key }) => key));
    const own = (action: ReplayAction) => this.#isCompared(action.scopeId);
    for (const action of after.filter(own)) {
      if (now.delete(action.key)) this.#result.actions.same += 1;
      else if (this.#lost.delete(action.key)) this.#result.actions.moved += 1;
      else this.#open(this.#added, 'added', action);
    }
    for (const action of before.filter(own)) {
      if (!now.has(action.key)) continue;
      if (this.#added.delete(action.key)) this.#result.actions.moved += 1;
      else this.#open(this.#lost, 'lost', action);
    }
  }

  #open(open: Map<string, ReplayAction>, kind: 'added' | 'lost', action: ReplayAction): void {
    open.set(action.key, action);
    if (open.size <= maxUnmatchedActions) return;
    const [[key, oldest]] = open as unknown as [[string, ReplayAction]];
    open.delete(key);
    this.#differAction(kind, oldest);
  }

  #differAction(kind: 'added' | 'lost', { at, scopeId, triggerId, messageId }: ReplayAction): void {
    this.#result.actions[kind] += 1;
    if (this.#result.actionDifferences.length >= maxDifferences) return;
    const when = new Date(at).toISOString();
    this.#result.actionDifferences.push({ kind, at: when, scopeId, triggerId, messageId });
  }
}

/** The highest severity of each interval, for both runs. */
class CurveRecorder {
  readonly #scopeId: string;
  readonly #since: number;
  readonly #length: number;
  readonly #runs: readonly [ReplayRun, ReplayRun];
  readonly #highest: [number[], number[]];
  #place = 0;

  constructor(scopeId: string, since: number, until: number, before: ReplayRun, after: ReplayRun) {
    this.#scopeId = scopeId;
    this.#since = since;
    this.#length = Math.max(1, (until - since) / pointsPerCurve);
    this.#runs = [before, after];
    this.#highest = [[before.severityOf(scopeId)], [after.severityOf(scopeId)]];
  }

  /** A severity is constant until it changes. */
  advanceTo(at: number): void {
    const pointIndex = Math.min(pointsPerCurve - 1, Math.floor((at - this.#since) / this.#length));
    while (this.#place < pointIndex) {
      this.#place += 1;
      for (const [index, run] of this.#runs.entries())
        this.#highest[index]![this.#place] = run.severityOf(this.#scopeId);
    }
  }

  recordSeverity(): void {
    for (const [index, run] of this.#runs.entries()) {
      const highest = this.#highest[index]!;
      const severity = run.severityOf(this.#scopeId);
      if (severity > highest[this.#place]!) highest[this.#place] = severity;
    }
  }

  toReplayCurve(): ReplayCurve {
    const [before, after] = this.#highest;
    const points = before.map((value, pointIndex) => ({
      at: new Date(this.#since + pointIndex * this.#length).toISOString(),
      before: value,
      after: after[pointIndex]!,
    }));
    return { scopeId: this.#scopeId, points };
  }
}

function isSame(left: ReplayEvent, right: ReplayEvent): boolean {
  return left.delta === right.delta && left.severity === right.severity && left.status === right.status;
}

function eventValues(event: ReplayEvent | undefined): ReplayEventValues | null {
  if (!event) return null;
  const { delta, previousSeverity, severity, status } = event;
  return { delta, previousSeverity, severity, status };
}
