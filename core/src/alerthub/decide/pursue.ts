// From an event to what a trigger does about it: conditions, flow, mute schedules, and the action that is to run.

import type { RunbookSource } from '../runbook.ts';
import { statusOf } from '../severity-name.ts';
import type { MuteHold, Reason, TriggerDecision } from '../why.ts';
import type { Batch, EventRow, Firing, Origin, RunbookStart, ScopeRun, WaitingTrigger } from './batch.ts';
import { addWeight, maxWeightOfOne } from './batch.ts';
import { isLate } from './conditions.ts';
import type { NamedAction } from './config.ts';
import { FlowData, reservedRoots } from './data.ts';
import { FlowError } from './flow-error.ts';
import { jsonText } from './json-text.ts';
import { reason } from './reason.ts';
import { relatedMessages } from './related-messages.ts';
import { renderAction } from './render-action.ts';
import { type CompiledTrigger, compileCondition, evaluateTrigger, runTriggerFlow } from './trigger.ts';

/** What a trigger is asked about: an event, its scope as it stands, and who raised it. */
export interface TriggerContext {
  event: EventRow;
  scope: ScopeRun;
  origin: Origin;
}

/** A value that a rule wrote and that is longer than this as JSON does not wait with its trigger. */
const maxWaiting = 65_536;
/** Roots that a record of a runbook has of its own. */
const keptApart: ReadonlySet<string> = new Set(['message', 'runbook', 'runbookRecord', 'steps']);
/** Runbooks that may lead to one another through events. */
const maxDepth = 8;

export function checkTrigger(
  batch: Batch,
  trigger: CompiledTrigger,
  occasion: TriggerContext,
): TriggerDecision {
  const { history, nowMs } = batch;
  return guarded(trigger, () => {
    const decision = evaluateTrigger(trigger, { event: occasion.event, history, now: nowMs });
    if (decision.outcome === 'fired') runTrigger(batch, trigger, occasion, decision);
    if (decision.outcome === 'waiting') delay(batch, trigger, occasion, remainingAsks(trigger));
    return decision;
  });
}

/** Runs the flow of a trigger whose conditions hold, and then its action unless the scope is muted. */
export function runTrigger(
  batch: Batch,
  trigger: CompiledTrigger,
  occasion: TriggerContext,
  decision: TriggerDecision,
): void {
  const data = firingData(batch, trigger, occasion);
  runTriggerFlow(trigger, data, decision);
  if (decision.outcome !== 'fired') return;
  const mute = occasion.scope.config.mutes.at(batch.nowMs);
  if (!mute) {
    fire(batch, trigger, occasion, data, decision);
    return;
  }
  hold(decision, mute);
  if (mute.atEnd === 'fire') wait(batch, trigger, occasion, mute.muteScheduleId, mute.until);
}

/** Writes down that a mute schedule holds the trigger back. */
export function hold(decision: TriggerDecision, mute: MuteHold): void {
  decision.outcome = 'muted';
  decision.mutes = [...(decision.mutes ?? []), mute];
}

/** Keeps the trigger for the end of a mute schedule; only the last time that it was held back counts. */
export function wait(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, origin }: TriggerContext,
  muteScheduleId: string,
  dueAt: string,
): void {
  const { triggerId, scopeId } = trigger.source;
  batch.waiting = batch.waiting.filter((other) => other.cause !== 'mute' || other.triggerId !== triggerId);
  batch.waiting.push({
    waitingTriggerId: batch.nextId(),
    scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    cause: 'mute',
    muteScheduleId,
    dueAt,
    asks: [],
    values: valuesOf(batch, origin),
    depth: origin.depth,
  });
}

/** Keeps the trigger for the first of the conditions that are asked later. Throws when there is none. */
export function delay(
  batch: Batch,
  trigger: Pick<CompiledTrigger, 'source'>,
  { event, origin }: TriggerContext,
  asks: WaitingTrigger['asks'],
): void {
  const { triggerId, scopeId } = trigger.source;
  const after = Math.min(
    ...asks.map(({ condition }) => compileCondition(condition).ask.after).filter(Boolean),
  );
  batch.waiting.push({
    waitingTriggerId: batch.nextId(),
    scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    cause: 'delay',
    muteScheduleId: null,
    dueAt: new Date(Date.parse(event.createdAt) + after * 1000).toISOString(),
    asks,
    values: valuesOf(batch, origin),
    depth: origin.depth,
  });
}

/**
 * What is still to be asked of a trigger whose other conditions hold. How many actions ran lately is asked again when it
 * is about to fire: else every event of one trouble would fire as soon as its time has come.
 */
function remainingAsks(trigger: CompiledTrigger): WaitingTrigger['asks'] {
  return trigger.conditions.flatMap(({ ask, needs }, index) =>
    isLate(ask) || needs.actionSeconds > 0 ? [{ index, condition: trigger.source.conditions[index]! }] : [],
  );
}

/** An error of ours fails one trigger, not the batch. */
export function guarded(trigger: CompiledTrigger, ask: () => TriggerDecision): TriggerDecision {
  try {
    return ask();
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : String(error);
    const { triggerId, displayName } = trigger.source;
    const notes = [reason('why.threw', { detail })];
    const nothing = { conditions: [], actionId: null, actionRecordId: null };
    return { triggerId, displayName, outcome: 'failed', notes, ...nothing };
  }
}

function fire(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, origin }: TriggerContext,
  data: FlowData,
  decision: TriggerDecision,
): void {
  const { target, triggerId } = trigger.source;
  const fail = (because: Reason) => {
    decision.outcome = 'failed';
    decision.notes.push(because);
  };
  if (target.kind === 'runbook') {
    decision.runbookId = target.id;
    const runbook = batch.config.runbooks.get(target.id);
    if (!runbook) {
      fail(reason('why.runbook.gone', { runbookId: target.id }));
      return;
    }
    if (origin.depth > maxDepth) {
      fail(reason('why.runbook.tooDeep', { most: maxDepth }));
      return;
    }
    decision.runbookRecordId = startRunbook(batch, runbook, data.root, {
      origin: 'trigger',
      sourceMessageId: event.messageId,
      sourceScopeId: event.scopeId,
      triggerId,
      eventId: event.eventId,
      depth: origin.depth,
    });
    batch.history.addAction(triggerId, batch.nowMs);
    return;
  }
  decision.actionId = target.id;
  const action = batch.config.actions.get(target.id);
  if (!action) {
    fail(reason('why.action.gone', { actionId: target.id }));
    return;
  }
  const made = makeFiring(batch, action, data.root, {
    scopeId: event.scopeId,
    triggerId,
    eventId: event.eventId,
    messageId: event.messageId,
    runbookRecordId: null,
  });
  if ('word' in made) {
    fail(made);
    return;
  }
  decision.actionRecordId = made.actionRecordId;
  if (made.problem) decision.notes.push(made.problem);
  if (made.missing.length > 0)
    decision.notes.push(reason('why.action.missing', { names: made.missing.join(', ').slice(0, 500) }));
  batch.history.addAction(triggerId, batch.nowMs);
  batch.firings.push(made);
}

const tooMuch = reason('why.action.tooMuch', { most: maxWeightOfOne });

/** About as many characters as the value has as JSON. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let weight = 8;
  for (const [name, member] of Object.entries(value)) weight += name.length + weightOf(member);
  return weight;
}

/** Fills the templates of an action; a kind that cannot be run comes back as the reason. */
export function makeFiring(
  batch: Batch,
  action: NamedAction,
  context: Record<string, unknown>,
  source: Pick<Firing, 'scopeId' | 'triggerId' | 'eventId' | 'messageId' | 'runbookRecordId'>,
): Firing | Reason {
  let rendered: Pick<Firing, 'request' | 'missing' | 'problem'>;
  try {
    rendered = { ...renderAction(action, context), problem: null };
    if (!addWeight(batch, weightOf(rendered.request))) throw new FlowError('parameters', tooMuch);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    if (error.path === 'kind') return error.reason;
    const problem = reason('delivery.badTemplate', { path: error.path, detail: error.reason });
    rendered = { request: null, missing: [], problem };
  }
  const { actionId, kind } = action;
  return {
    actionRecordId: batch.nextId(),
    actionId,
    kind,
    ...source,
    deliveryId: batch.nextId(),
    ...rendered,
  };
}

/** Requests a record of a runbook and gives its id. */
export function startRunbook(
  batch: Batch,
  runbook: RunbookSource,
  root: Record<string, unknown>,
  source: Omit<RunbookStart, 'runbookRecordId' | 'runbook' | 'context'>,
): string {
  const runbookRecordId = batch.nextId();
  // The message is kept by itself, and large values are not kept twice.
  const context = keptWith(batch, root, keptApart);
  batch.starts.push({ runbookRecordId, runbook, ...source, context });
  return runbookRecordId;
}

/** Everything that the flow and the templates of one firing can read. */
function firingData(
  batch: Batch,
  trigger: CompiledTrigger,
  { event, scope, origin }: TriggerContext,
): FlowData {
  const { triggers: _triggers, ...ownEvent } = event;
  const { attributes: _attributes, ...ownScope } = scope.config.source;
  const { triggerId, displayName, remarks } = trigger.source;
  const data = new FlowData({
    ...origin.rule?.data.root,
    event: ownEvent,
    scope: {
      ...ownScope,
      status: scope.severities.status,
      severity: scope.severities.severity,
      lastEventAt: batch.now,
      attributes: Object.fromEntries(scope.config.attributes),
    },
    scopeSeverities: [...scope.severities.values].map(([name, value]) => ({
      name,
      value,
      status: statusOf(value, ownScope.thresholds),
    })),
    space: batch.config.space,
    trigger: { triggerId, displayName, remarks },
  });
  if (origin.message) data.root.message = origin.message.view;
  if (scope.config.tellsRelated && trigger.pastSeconds + trigger.lateSeconds > 0)
    data.root.relatedMessages = relatedMessages(batch, trigger, event, origin.message);
  return data;
}

/** What the rule's steps wrote, as far as it is small enough to wait. */
function valuesOf(batch: Batch, origin: Origin): WaitingTrigger['values'] {
  return keptWith(batch, origin.rule?.data.root ?? {}, reservedRoots);
}

/** The values of a root that are small enough to be kept, but for some names. */
function keptWith(batch: Batch, root: object, without: ReadonlySet<string>): Record<string, unknown> {
  const kept = Object.entries(root).filter(([name, value]) => {
    if (without.has(name)) return false;
    const { text, whole } = jsonText(value, maxWaiting);
    return whole && addWeight(batch, text.length);
  });
  return Object.fromEntries(kept);
}
