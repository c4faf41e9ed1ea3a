// What one round of deciding reads, keeps while it runs, and gives to be stored.

import type { Reason, TriggerDecision } from '../../decision-log.ts';
import type { RunbookSource } from '../../runbook.ts';
import type { ScopeStatus } from '../../scope-status.ts';
import { toScopeStatus } from '../../scope-status.ts';
import type { Condition } from '../../trigger.ts';
import type { FlowData } from '../data/flow-data.ts';
import type { CompiledConfig, CompiledScope } from '../evaluation/compile-config.ts';
import { BatchHistory } from '../state/batch-history.ts';
import type { History } from '../state/event-history.ts';
import { ScopeSeverities, type SeverityValues } from '../state/scope-severities.ts';

/** Values of the severities of each touched scope; a scope that is absent has none yet. */
export type SeverityState = ReadonlyMap<string, SeverityValues>;

export interface BatchInput {
  config: CompiledConfig;
  state: SeverityState;
  /** What was stored before this batch; the batch adds its own. */
  history: History;
  /** ISO 8601; the time of everything the batch makes. */
  now: string;
  /** The same in milliseconds since 1970, when the caller has it. */
  nowMs?: number;
  nextId: () => string;
  /** Characters that the batch may make before the rest is left for another one; no bound when absent. */
  maxWeight?: number;
}

/** Characters that one message, release or record may make: an amplifier of messages must not exhaust the memory. */
export const maxWeightPerItem = 64 << 20;

/** An event as stored, with what its triggers decided. */
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
  triggers: TriggerDecision[];
}

/** An action that is to run. When its templates could not be filled `request` is null and `problem` says why. */
export interface Firing {
  actionRecordId: string;
  actionId: string;
  kind: string;
  /** Null for an action that a runbook runs. */
  scopeId: string | null;
  triggerId: string | null;
  eventId: string | null;
  messageId: string | null;
  runbookRecordId: string | null;
  deliveryId: string;
  request: unknown;
  missing: string[];
  problem: Reason | null;
}

/** A trigger that is looked at again later: when a mute schedule ends, or some seconds after its event. */
export interface WaitingTrigger {
  waitingTriggerId: string;
  scopeId: string;
  triggerId: string;
  eventId: string;
  messageId: string | null;
  cause: 'mute' | 'delay';
  /** The schedule that held it first. */
  muteScheduleId: string | null;
  /** ISO 8601. */
  dueAt: string;
  /** For a delay: the conditions that are still to be asked, as they were at the event; `index` among its conditions. */
  pendingConditions: { index: number; condition: Condition }[];
  /** What the steps of the rule wrote, for templates. */
  values: Record<string, unknown>;
  /** How many runbooks led to its event. */
  depth: number;
}

/** A runbook that is to run. */
export interface RunbookStart {
  runbookRecordId: string;
  runbook: RunbookSource;
  origin: 'receiveSlot' | 'trigger';
  sourceMessageId: string | null;
  sourceScopeId: string | null;
  triggerId: string | null;
  eventId: string | null;
  depth: number;
  /** Roots of the data beside the message. */
  context: Record<string, unknown>;
}

export interface BatchResult {
  events: EventRow[];
  runbookStarts: RunbookStart[];
  waiting: WaitingTrigger[];
  /** Waiting triggers that need no longer wait. */
  released: string[];
  /** Events stored before this batch whose triggers have decided anew. */
  updatedEvents: { eventId: string; triggers: TriggerDecision[] }[];
  /** Severities that gave way to others. */
  evictedSeverities: { scopeId: string; name: string }[];
  /** Severities that events named, with their last value, in the order of their last change. */
  severities: { scopeId: string; name: string; value: number; status: ScopeStatus }[];
  scopes: { scopeId: string; status: ScopeStatus; severity: number; lastEventAt: string }[];
  firings: Firing[];
}

/** Who asked for a change, and the data that its templates may read. */
export interface EventOrigin {
  source: EventRow['source'];
  rule: { ruleId: string | null; data: FlowData } | undefined;
  message: { messageId: string; view: Record<string, unknown> } | undefined;
  /** How many runbooks led to the change. */
  depth: number;
}

export interface ScopeState {
  config: CompiledScope;
  severities: ScopeSeverities;
  changedNames: Set<string>;
  /** Stored names that gave way to others. */
  evictedNames: Set<string>;
}

export interface Batch {
  config: CompiledConfig;
  now: string;
  nowMs: number;
  nextId: () => string;
  history: BatchHistory;
  /** The scope as it is at this point of the batch, undefined when there is no such scope. */
  scope(scopeId: string): ScopeState | undefined;
  scopes: Map<string, ScopeState>;
  events: EventRow[];
  firings: Firing[];
  runbookStarts: RunbookStart[];
  waiting: WaitingTrigger[];
  released: string[];
  decided: Map<string, TriggerDecision[]>;
  /** Characters made so far, and those made before the present message, release or record. */
  weight: number;
  weightBefore: number;
  maxWeight: number;
}

export function startBatch(input: BatchInput): Batch {
  const scopes = new Map<string, ScopeState>();
  return {
    config: input.config,
    now: input.now,
    nowMs: input.nowMs ?? Date.parse(input.now),
    nextId: input.nextId,
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
      const config = input.config.scopes.get(scopeId);
      if (!config) return undefined;
      const severities = new ScopeSeverities(input.state.get(scopeId) ?? new Map(), config.source.thresholds);
      const run: ScopeState = { config, severities, changedNames: new Set(), evictedNames: new Set() };
      scopes.set(scopeId, run);
      return run;
    },
  };
}

/** Whether no more should be decided in this batch; the first of it always is. */
export function isFull(batch: Batch): boolean {
  return batch.weight >= batch.maxWeight;
}

/** Says that another message, release or record begins. */
export function startItem(batch: Batch): void {
  batch.weightBefore = batch.weight;
}

/** Counts what was made; false when it is too much for one message, release or record. */
export function addWeight(batch: Batch, weight: number): boolean {
  if (batch.weight - batch.weightBefore + weight > maxWeightPerItem) return false;
  batch.weight += weight;
  return true;
}

/** The rows that the batch changed or made. */
export function toBatchResult(batch: Batch): BatchResult {
  const severities: BatchResult['severities'] = [];
  const scopes: BatchResult['scopes'] = [];
  const evictedSeverities: BatchResult['evictedSeverities'] = [];
  for (const [scopeId, run] of batch.scopes) {
    if (run.changedNames.size === 0) continue;
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
  const { events, firings, runbookStarts, waiting, released } = batch;
  const updatedEvents = [...batch.decided].map(([eventId, triggers]) => ({ eventId, triggers }));
  return {
    events,
    severities,
    evictedSeverities,
    scopes,
    firings,
    runbookStarts,
    waiting,
    released,
    updatedEvents,
  };
}
