// Evaluates messages with one rule, stored or not, as the pipeline would, without any effect.
import type { DecisionLog, EventDecision, TriggerDecision } from '../../decision-log.ts';
import type { ReceivedMessage } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import type { CompiledConfig } from '../evaluation/compile-config.ts';
import { compileRule, type RuleSource } from '../evaluation/evaluate-rule.ts';
import type { BatchInput, BatchResult, EventRow } from './batch.ts';
import { decideBatch } from './decide-batch.ts';

/** A request that would have been sent. */
export interface SuppressedRequest {
  actionId: string;
  kind: string;
  triggerId: string | null;
  request: unknown;
}

export interface RuleTestResult {
  matched: boolean;
  /** The decision log of the message with this rule alone. */
  why: DecisionLog;
  held: SuppressedRequest[];
}

/** The configuration with this rule as the only one, enabled. Throws FlowError if it cannot run. */
export function withOnlyRule(config: CompiledConfig, rule: RuleSource): CompiledConfig {
  const compiled = compileRule({ ...rule, disabled: false });
  return {
    ...config,
    rulesBySlot: new Map([[rule.receiveSlotId, [compiled]]]),
    runbookOfSlot: new Map(),
  };
}

/** Evaluates the messages in order as messages of the rule's slot; `config` comes from `withOnlyRule`. */
export function runRuleTest(
  input: BatchInput & { messages: readonly ReceivedMessage[]; slotName: string | null },
): RuleTestResult[] {
  const [receiveSlotId] = input.config.rulesBySlot.keys();
  const messages = input.messages.map((message) => ({ ...message, receiveSlotId: receiveSlotId! }));
  const result = decideBatch({ ...input, messages });
  return messages.map(({ messageId, receivedAt }, index) => {
    const { matched, rules, notes } = result.messages[index]!;
    const belongsToMessage = (thing: { messageId: string | null }) => thing.messageId === messageId;
    return {
      matched: matched > 0,
      why: {
        messageId,
        receivedAt,
        receiveSlotId: receiveSlotId!,
        receiveSlotName: input.slotName,
        evaluatedAt: input.now,
        repeated: null,
        notes,
        rules,
        events: result.events
          .filter(belongsToMessage)
          .map((event) => toEventDecision(event, input.config, result)),
        deliveries: [],
      },
      held: result.firings
        .filter(belongsToMessage)
        .map(({ actionId, kind, triggerId, request }) => ({ actionId, kind, triggerId, request })),
    };
  });
}

function toEventDecision(event: EventRow, config: CompiledConfig, result: BatchResult): EventDecision {
  const { eventId, scopeId, severityName, delta, previousSeverity, severity, statusBefore, ruleId } = event;
  const created = result.createdScopes.find((one) => one.scope.source.scopeId === scopeId);
  const scope = config.scopes.get(scopeId) ?? created?.scope;
  return {
    ...{ eventId, scopeId, severityName, delta, previousSeverity, severity, statusBefore, ruleId },
    scopeName: scope?.source.displayName ?? null,
    statusAfter: event.status,
    triggers: event.triggers.map((trigger) => withSuppressedActions(trigger, config, result)),
  };
}

/** Names the action or runbook that would have run instead of the id of a record that does not exist. */
function withSuppressedActions(
  trigger: TriggerDecision,
  config: CompiledConfig,
  result: BatchResult,
): TriggerDecision {
  const { runbookRecordId, ...decision } = trigger;
  const notes = [...decision.notes];
  const firing = result.firings.find((one) => one.actionRecordId === decision.actionRecordId);
  const action = firing && config.actions.get(firing.actionId)?.displayName;
  if (action) notes.push(reason('why.test.action', { action }));
  const runbook = runbookRecordId && config.runbooks.get(decision.runbookId ?? '')?.displayName;
  if (runbook) notes.push(reason('why.test.runbook', { runbook }));
  return { ...decision, notes, actionRecordId: null };
}
