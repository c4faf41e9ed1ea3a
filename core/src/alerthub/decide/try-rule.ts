// Decides one message by one rule that need not be stored, as the pipeline would; nothing comes of it.
import type { EventDecision, TriggerDecision, Why } from '../why.ts';
import type { BatchInput, BatchResult, EventRow } from './batch.ts';
import type { CompiledConfig } from './config.ts';
import { type DecideMessage, decideBatch } from './decide.ts';
import { reason } from './reason.ts';
import { compileRule, type RuleSource } from './rule.ts';

/** A request that would have left. */
export interface HeldRequest {
  actionId: string;
  kind: string;
  triggerId: string | null;
  request: unknown;
}

export interface RuleTrial {
  matched: boolean;
  /** The decision log of the message, with this rule alone. */
  why: Why;
  held: HeldRequest[];
}

/** The settings with this rule as the only one, enabled. Throws FlowError when it cannot run. */
export function withOnlyRule(config: CompiledConfig, rule: RuleSource): CompiledConfig {
  const compiled = compileRule({ ...rule, disabled: false });
  return {
    ...config,
    rulesBySlot: new Map([[rule.receiveSlotId, [compiled]]]),
    runbookOfSlot: new Map(),
  };
}

/** `config` as `withOnlyRule` makes it; the message counts as one of the rule's slot. */
export function tryRule(input: BatchInput & { message: DecideMessage; slotName: string | null }): RuleTrial {
  const [receiveSlotId] = input.config.rulesBySlot.keys();
  const message = { ...input.message, receiveSlotId: receiveSlotId! };
  const result = decideBatch({ ...input, messages: [message] });
  const { matched, rules, notes } = result.messages[0]!;
  return {
    matched: matched > 0,
    why: {
      messageId: message.messageId,
      receivedAt: message.receivedAt,
      receiveSlotId: message.receiveSlotId,
      receiveSlotName: input.slotName,
      evaluatedAt: input.now,
      notes,
      rules,
      events: result.events.map((event) => eventDecision(event, input.config, result)),
      deliveries: [],
    },
    held: result.firings.map(({ actionId, kind, triggerId, request }) => ({
      actionId,
      kind,
      triggerId,
      request,
    })),
  };
}

function eventDecision(event: EventRow, config: CompiledConfig, result: BatchResult): EventDecision {
  const { eventId, scopeId, severityName, delta, previousSeverity, severity, statusBefore, ruleId } = event;
  return {
    ...{ eventId, scopeId, severityName, delta, previousSeverity, severity, statusBefore, ruleId },
    scopeName: config.scopes.get(scopeId)?.source.displayName ?? null,
    statusAfter: event.status,
    triggers: event.triggers.map((trigger) => heldBack(trigger, config, result)),
  };
}

/** Says what would have been run, instead of naming a record that is nowhere. */
function heldBack(trigger: TriggerDecision, config: CompiledConfig, result: BatchResult): TriggerDecision {
  const { runbookRecordId, ...decision } = trigger;
  const notes = [...decision.notes];
  const firing = result.firings.find((one) => one.actionRecordId === decision.actionRecordId);
  const action = firing && config.actions.get(firing.actionId)?.displayName;
  if (action) notes.push(reason('why.test.action', { action }));
  const runbook = runbookRecordId && config.runbooks.get(decision.runbookId ?? '')?.displayName;
  if (runbook) notes.push(reason('why.test.runbook', { runbook }));
  return { ...decision, notes, actionRecordId: null };
}
