// Input, working state and result of one evaluation batch.

import type { Reason, TriggerDecision } from '../../decision-log.ts';
import type { EventCause } from '../../event.ts';
import type { RunbookSource } from '../../runbook.ts';
import type { ScopeStatus } from '../../scope-status.ts';
import { toScopeStatus } from '../../scope-status.ts';
import type { Condition } from '../../trigger.ts';
import type { FlowData } from '../data/flow-data.ts';
import type { CompiledConfig, CompiledScope } from '../evaluation/compile-config.ts';
import { BatchHistory } from '../state/batch-history.ts';
import type { History } from '../state/event-history.ts';
import {
  type Contribution,
  type ContributionValues,
  ScopeContributions,
} from '../state/scope-contributions.ts';
import { ScopeSeverities, type SeverityValues } from '../state/scope-severities.ts';
import type { ConfigExtension, CreatedScope } from './config-extension.ts';

/** Severity values of each affected scope; a scope without an entry has none yet. */
export type SeverityState = ReadonlyMap<string, SeverityValues>;

/** Contributions to the severities of scopes; a scope without an entry was not loaded. */
export type ContributionState = ReadonlyMap<string, ContributionValues>;

export interface BatchInput {
  config: CompiledConfig;
  state: SeverityState;
  /** Needed for the scopes of rules with fingerprints. */
  contributions?: ContributionState;
  /** Stored history before this batch; the batch adds its own entries. */
  history: History;
  /** ISO 8601; timestamp of everything the batch creates. */
  now: string;
  /** The same in milliseconds since 1970, if the caller has it. */
  nowMs?: number;
  nextId: () => string;
  /** Id of a scope to be created; `nextId` if absent. */
  nextScopeId?: (displayName: string) => string;
  /**
   * Characters that the batch may produce before it leaves the rest to the next batch; unlimited if absent.
   */
  maxWeight?: number;
}

/**
 * Maximum number of characters that one message, release or record may produce, so that amplification cannot
 * exhaust the memory.
 */
export const maxWeightPerItem = 64 << 20;

/** An event as stored, with its trigger decisions. */
export interface EventRow {
  eventId: string;
  scopeId: string;
  severityName: string;
  delta: number;
  previousSeverity: number;
  severity: number;
  statusBefore: ScopeStatus;
  /** Status of the scope after the event. */
  status: ScopeStatus;
  source: 'rule' | 'api' | 'recovery' | 'reset' | 'runbook';
  ruleId: string | null;
  messageId: string | null;
  createdAt: string;
  /** Absent for an event of a rule. */
  cause?: EventCause;
  triggers: TriggerDecision[];
}

/**
 * An action to run. If its templates could not be rendered, `request` is null and `problem` has the reason.
 */
export interface Firing {
  actionRecordId: string;
  actionId: string;
  kind: string;
  /** Null for an action run by a runbook. */
  scopeId: string | null;
  triggerId: string | null;
  eventId: string | null;
  messageId: string | null;
  runbookRecordId: string | null;
  deliveryId: string;
  request: unknown;
  missing: string[];
  problem: Reason | null;
  /** Maximum attempts; if absent, retries end after a day. */
  maxAttempts?: number;
}

/** A trigger to be evaluated again: at the end of a mute schedule, or some seconds after its event. */
export interface WaitingTrigger {
  waitingTriggerId: string;
  scopeId: string;
  triggerId: string;
  eventId: string;
  messageId: string | null;
  cause: 'mute' | 'delay';
  /** The schedule that held it back first. */
  muteScheduleId: string | null;
  /** ISO 8601. */
  dueAt: string;
  /**
   * For a delay: the conditions still to be evaluated, as they were at the event; `index` is the position
   * among the trigger's conditions.
   */
  pendingConditions: { index: number; condition: Condition }[];
  /** Values written by the rule's steps, for templates. */
  values: Record<string, unknown>;
  /** Number of runbooks in the chain that led to its event. */
  depth: number;
}

/** A runbook to run. */
export interface RunbookStart {
  runbookRecordId: string;
  runbook: RunbookSource;
  origin: 'receiveSlot' | 'trigger';
  sourceMessageId: string | null;
  sourceScopeId: string | null;
  triggerId: string | null;
  eventId: string | null;
  depth: number;
  /** Data roots other than the message. */
  context: Record<string, unknown>;
}

export interface BatchResult {
  events: EventRow[];
  /** Scopes that rules have created. */
  createdScopes: CreatedScope[];
  /** Receive slots whose rules may not create further scopes, and would have. */
  fullSlots: string[];
  runbookStarts: RunbookStart[];
  waiting: WaitingTrigger[];
  /** Waiting triggers that no longer have to wait. */
  released: string[];
  /** Events stored before this batch whose triggers have been evaluated again. */
  updatedEvents: { eventId: string; triggers: TriggerDecision[] }[];
  /** Severities evicted to make room for other names. */
  evictedSeverities: { scopeId: string; name: string }[];
  /** Severities changed by events, with their last value, in order of their last change. */
  severities: { scopeId: string; name: string; value: number; status: ScopeStatus }[];
  /** Changed contributions; those with the value 0 are to be removed. */
  contributions: (Contribution & { scopeId: string })[];
  /** Severities whose stored contributions are all to be removed. */
  clearedContributions: { scopeId: string; name: string }[];
  scopes: { scopeId: string; status: ScopeStatus; severity: number; lastEventAt: string }[];
  /** Unchanged scopes with a recovery time whose problem was reported again: the time starts anew. */
  reportedAgain: string[];
  firings: Firing[];
}

/** Source of a change, and the data that its templates may read. */
export interface EventOrigin {
  source: EventRow['source'];
  cause?: EventCause | undefined;
  rule: { ruleId: string | null; data: FlowData } | undefined;
  message: { messageId: string; view: Record<string, unknown> } | undefined;
  /** Number of runbooks in the chain that led to the change. */
  depth: number;
}

export interface ScopeState {
  config: CompiledScope;
  severities: ScopeSeverities;
  contributions: ScopeContributions;
  changedNames: Set<string>;
  /** Stored severity names evicted to make room for others. */
  evictedNames: Set<string>;
  /** Whether a severity was set to the value above 0 that it has. */
  isReportedAgain: boolean;
}

export interface Batch {
  /** Includes the scopes that the batch has created. */
  config: CompiledConfig;
  extension: ConfigExtension | undefined;
  createdScopes: CreatedScope[];
  fullSlots: Set<string>;
  now: string;
  nowMs: number;
  nextId: () => string;
  nextScopeId: (displayName: string) => string;
  history: BatchHistory;
  /** The scope in its current state within the batch; undefined if there is no such scope. */
  scope(scopeId: string): ScopeState | undefined;
  scopes: Map<string, ScopeState>;
  events: EventRow[];
  firings: Firing[];
  runbookStarts: RunbookStart[];
  waiting: WaitingTrigger[];
  released: string[];
  decided: Map<string, TriggerDecision[]>;
  /** Characters produced so far, in total and before the current message, release or record. */
  weight: number;
  weightBefore: number;
  maxWeight: number;
}

export function startBatch(input: BatchInput): Batch {
  const scopes = new Map<string, ScopeState>();
  const batch: Batch = {
    config: input.config,
    extension: undefined,
    createdScopes: [],
    fullSlots: new Set(),
    now: input.now,
    nowMs: input.nowMs ?? Date.parse(input.now),
    nextId: input.nextId,
    nextScopeId: input.nextScopeId ?? input.nextId,
    history: new BatchHistory(input.history),
    scopes,
    events: [],
    firings: [],
    runbookStarts: [],
    waiting: [],
    released: [],
    decided: new Map(),
    weight: 0,
    weightBefore: 0,
    maxWeight: input.maxWeight ?? Number.POSITIVE_INFINITY,
    scope(scopeId) {
      const known = scopes.get(scopeId);
      if (known) return known;
      const config = batch.config.scopes.get(scopeId);
      if (!config) return undefined;
      const severities = new ScopeSeverities(input.state.get(scopeId) ?? new Map(), config.source.thresholds);
      const contributions = new ScopeContributions(input.contributions?.get(scopeId));
      const changed = { changedNames: new Set<string>(), evictedNames: new Set<string>() };
      const run: ScopeState = { config, severities, contributions, ...changed, isReportedAgain: false };
      scopes.set(scopeId, run);
      return run;
    },
  };
  return batch;
}

/** Whether the batch is full. The first message, release or record is always evaluated. */
export function isFull(batch: Batch): boolean {
  return batch.weight >= batch.maxWeight;
}

/** Marks the beginning of the next message, release or record. */
export function beginBatchItem(batch: Batch): void {
  batch.weightBefore = batch.weight;
}

/** Adds to the number of characters produced; false if one message, release or record exceeds its limit. */
export function addWeight(batch: Batch, weight: number): boolean {
  if (batch.weight - batch.weightBefore + weight > maxWeightPerItem) return false;
  batch.weight += weight;
  return true;
}

/** The rows that the batch changed or created. */
export function toBatchResult(batch: Batch): BatchResult {
  const severities: BatchResult['severities'] = [];
  const scopes: BatchResult['scopes'] = [];
  const evictedSeverities: BatchResult['evictedSeverities'] = [];
  const contributions: BatchResult['contributions'] = [];
  const clearedContributions: BatchResult['clearedContributions'] = [];
  const reportedAgain: string[] = [];
  for (const [scopeId, run] of batch.scopes) {
    for (const change of run.contributions.changes) contributions.push({ scopeId, ...change });
    for (const name of run.contributions.clearedNames) clearedContributions.push({ scopeId, name });
    if (run.changedNames.size === 0) {
      if (run.isReportedAgain && run.config.source.recoveryTime !== null) reportedAgain.push(scopeId);
      continue;
    }
    for (const name of run.evictedNames) evictedSeverities.push({ scopeId, name });
    const { thresholds } = run.config.source;
    for (const name of run.changedNames) {
      const value = run.severities.valueOf(name);
      severities.push({ scopeId, name, value, status: toScopeStatus(value, thresholds) });
    }
    scopes.push({
      scopeId,
      status: run.severities.status,
      severity: run.severities.severity,
      lastEventAt: batch.now,
    });
  }
  const { events, createdScopes, firings, runbookStarts, waiting, released } = batch;
  const updatedEvents = [...batch.decided].map(([eventId, triggers]) => ({ eventId, triggers }));
  return {
    events,
    createdScopes,
    fullSlots: [...batch.fullSlots],
    severities,
    evictedSeverities,
    contributions,
    clearedContributions,
    scopes,
    reportedAgain,
    firings,
    runbookStarts,
    waiting,
    released,
    updatedEvents,
  };
}
