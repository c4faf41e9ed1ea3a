// Decides triggers that were held back by a mute schedule, once it has ended.
import type { Status } from '../severity-name.ts';
import { statuses } from '../severity-name.ts';
import type { TriggerDecision } from '../why.ts';
import {
  type Batch,
  type BatchInput,
  type BatchResult,
  batchResult,
  type EventRow,
  startBatch,
  type WaitingTrigger,
} from './batch.ts';
import { FlowData, messageView } from './data.ts';
import type { DecideMessage } from './decide.ts';
import { guarded, hold, type Occasion, pursue, wait } from './pursue.ts';
import { reason } from './reason.ts';
import type { CompiledTrigger } from './trigger.ts';

/** A waiting trigger that is due, with its event as stored and its message where that is still kept. */
export interface Release extends Omit<WaitingTrigger, 'eventId' | 'messageId'> {
  event: EventRow;
  message: DecideMessage | undefined;
}

/** Decides each in its order; every one is released, though it may wait anew under a new id. */
export function decideReleases(input: BatchInput & { releases: readonly Release[] }): BatchResult {
  const batch = startBatch(input);
  for (const release of input.releases) {
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
  const decision = { ...before, notes: [...before.notes], releasedAt: batch.now };
  if (!scope || !trigger) {
    decision.notes.push(reason('why.trigger.gone'));
    return decision;
  }
  if (trigger.source.disabled) {
    decision.notes.push(reason('why.trigger.disabledSince'));
    return decision;
  }
  return guarded(trigger, () => {
    endMute(batch, release, trigger, { event: release.event, scope, origin: originOf(release) }, decision);
    return decision;
  });
}

function endMute(
  batch: Batch,
  release: Release,
  trigger: CompiledTrigger,
  occasion: Occasion,
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
  pursue(batch, trigger, occasion, decision);
}

function rank(status: Status): number {
  return statuses.indexOf(status);
}

function originOf({ event, values, message, depth }: Release): Occasion['origin'] {
  const view = message && messageView(message);
  return {
    source: event.source,
    rule: event.ruleId ? { ruleId: event.ruleId, data: new FlowData(values) } : undefined,
    message: message && view ? { messageId: message.messageId, view } : undefined,
    depth,
  };
}
