// Decides triggers that waited: for the end of a mute schedule, or for conditions that are asked some time after the event.
import type { Status } from '../severity-name.ts';
import { statuses } from '../severity-name.ts';
import type { ConditionDecision, TriggerDecision } from '../why.ts';
import {
  type Batch,
  type BatchInput,
  type BatchResult,
  batchResult,
  beginOne,
  type EventRow,
  isFull,
  startBatch,
  type WaitingTrigger,
} from './batch.ts';
import { isLate } from './conditions.ts';
import type { DecideMessage } from './data.ts';
import { FlowData, messageView } from './data.ts';
import { FlowError } from './flow-error.ts';
import { delay, guarded, hold, runTrigger, type TriggerContext, wait } from './pursue.ts';
import { reason } from './reason.ts';
import { type CompiledTrigger, compileCondition } from './trigger.ts';

/** A waiting trigger that is due, with its event as stored and its message where that is still kept. */
export interface Release extends Omit<WaitingTrigger, 'eventId' | 'messageId'> {
  event: EventRow;
  message: DecideMessage | undefined;
}

/** Decides each in its order, the first ones when all would weigh too much; each may wait anew under a new id. */
export function decideReleases(input: BatchInput & { releases: readonly Release[] }): BatchResult {
  const batch = startBatch(input);
  for (const release of input.releases) {
    if (isFull(batch)) break;
    beginOne(batch);
    const { event, triggerId } = release;
    batch.released.push(release.waitingTriggerId);
    const known = batch.decided.get(event.eventId) ?? event.triggers;
    const next = known.map((decision) =>
      decision.triggerId === triggerId ? decide(batch, release, decision) : decision,
    );
    batch.decided.set(event.eventId, next);
  }
  return batchResult(batch);
}

function decide(batch: Batch, release: Release, before: TriggerDecision): TriggerDecision {
  const scope = batch.scope(release.scopeId);
  const trigger = scope?.config.triggers.find((one) => one.source.triggerId === release.triggerId);
  const isDelay = release.cause === 'delay';
  const decision: TriggerDecision = {
    ...before,
    conditions: [...before.conditions],
    notes: [...before.notes],
    ...(isDelay ? {} : { releasedAt: batch.now }),
  };
  if (!scope || !trigger) {
    if (isDelay) decision.outcome = 'held';
    decision.notes.push(reason('why.trigger.gone'));
    return decision;
  }
  if (trigger.source.disabled) {
    if (isDelay) decision.outcome = 'disabled';
    decision.notes.push(reason('why.trigger.disabledSince'));
    return decision;
  }
  const occasion = { event: release.event, scope, origin: originOf(release) };
  return guarded(trigger, () => {
    if (isDelay) endDelay(batch, release, trigger, occasion, decision);
    else endMute(batch, release, trigger, occasion, decision);
    return decision;
  });
}

/** Asks the conditions whose time has come; the last ones that hold let the trigger fire. */
function endDelay(
  batch: Batch,
  release: Release,
  trigger: CompiledTrigger,
  occasion: TriggerContext,
  decision: TriggerDecision,
): void {
  const { event, scope } = occasion;
  const asks = compileAsks(release, decision);
  if (!asks) return;
  const passedMs = batch.nowMs - Date.parse(event.createdAt);
  const isDue = ({ after }: { after: number }) => after * 1000 <= passedMs;
  // It would wait again for what it has waited for, without end.
  if (!asks.some(({ ask }) => isLate(ask) && isDue(ask))) {
    decision.outcome = 'failed';
    decision.notes.push(reason('why.threw', { detail: 'none of its conditions was due' }));
    return;
  }
  let holds = true;
  const say = (index: number, said: Omit<ConditionDecision, 'conditionId'>) => {
    const { conditionId } = release.asks.find((one) => one.index === index)!.condition;
    decision.conditions[index] = { conditionId, ...said, askedAt: batch.now };
    holds &&= said.holds;
  };
  for (const { index, ask } of asks) {
    if (isLate(ask) && isDue(ask)) say(index, ask.test({ event, severities: scope.severities }));
  }
  if (!holds) {
    decision.outcome = 'held';
    return;
  }
  const left = asks.filter(({ ask }) => !isLate(ask) || !isDue(ask));
  if (left.some(({ ask }) => isLate(ask))) {
    const kept = left.map(({ index }) => release.asks.find((one) => one.index === index)!);
    delay(batch, trigger, occasion, kept);
    return;
  }
  const { history, nowMs: now } = batch;
  for (const { index, ask } of left) {
    if (!isLate(ask)) say(index, ask.test({ event, history, now, triggerId: release.triggerId }));
  }
  decision.outcome = holds ? 'fired' : 'held';
  if (holds) runTrigger(batch, trigger, occasion, decision);
}

function compileAsks(release: Release, decision: TriggerDecision) {
  try {
    return release.asks.map(({ index, condition }) => ({ index, ...compileCondition(condition) }));
  } catch (broken) {
    // Written by another version of the product.
    if (!(broken instanceof FlowError)) throw broken;
    const { path, reason: because } = broken;
    decision.outcome = 'failed';
    decision.notes.push(reason('why.trigger.broken', { path, because }));
    return undefined;
  }
}

function endMute(
  batch: Batch,
  release: Release,
  trigger: CompiledTrigger,
  occasion: TriggerContext,
  decision: TriggerDecision,
): void {
  const { mutes } = occasion.scope.config;
  const muteScheduleId = release.muteScheduleId!;
  const next = mutes.at(batch.nowMs);
  if (next) {
    hold(decision, next);
    delete decision.releasedAt;
    wait(batch, trigger, occasion, muteScheduleId, next.until);
    return;
  }
  if (mutes.isSilent(muteScheduleId)) {
    decision.notes.push(reason('why.mute.silent'));
    return;
  }
  const { status } = occasion.scope.severities;
  const said = { status: { word: `why.status.${status}` } };
  if (status === 'normal' || rank(status) < rank(release.event.status)) {
    decision.notes.push(reason('why.mute.recovered', said));
    return;
  }
  decision.notes = [reason('why.mute.stillWrong', said)];
  decision.outcome = 'fired';
  runTrigger(batch, trigger, occasion, decision);
}

function rank(status: Status): number {
  return statuses.indexOf(status);
}

function originOf({ event, values, message, depth }: Release): TriggerContext['origin'] {
  const view = message && messageView(message);
  return {
    source: event.source,
    rule: event.ruleId ? { ruleId: event.ruleId, data: new FlowData(values) } : undefined,
    message: message && view ? { messageId: message.messageId, view } : undefined,
    depth,
  };
}
