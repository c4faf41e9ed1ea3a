// Evaluates a batch: messages through rules to events, events through severities and triggers to the actions
// to run.
import type { Reason, RuleDecision } from '../../decision-log.ts';
import type { EventCause } from '../../event.ts';
import { messageView, type ReceivedMessage } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { applySeverityChange } from './apply-severity-change.ts';
import {
  type Batch,
  type BatchInput,
  type BatchResult,
  beginBatchItem,
  isFull,
  type RunbookStart,
  startBatch,
  toBatchResult,
} from './batch.ts';
import { decideRule } from './decide-rule.ts';
import { startRunbooks } from './run-runbooks.ts';
import { requestRunbook } from './run-trigger.ts';
import type { RunbookProgress } from './runbook-run.ts';

export interface MessageDecision {
  messageId: string;
  /** Number of matching rules out of `total` enabled rules. */
  matched: number;
  total: number;
  rules: RuleDecision[];
  /** Set if nothing was evaluated. */
  notes: Reason[];
}

/** A change not caused by a message. With `to` the severity is set to that value and `delta` is computed. */
export interface RequestedSeverityChange {
  scopeId: string;
  severityName: string;
  change: { delta: number } | { to: number };
  source: 'api' | 'recovery' | 'reset';
  /** Who or what requested it; absent in a replay. */
  cause?: EventCause;
}

/** Evaluated messages of a batch that is still open. */
export interface DecidedMessages {
  /** Decisions of the first messages; with a weight limit possibly not of all. */
  messages: MessageDecision[];
  /** Runbooks that they start. */
  runbookStarts: readonly RunbookStart[];
  /**
   * Runs the started runbooks until they have to wait. State and history must already contain the scopes that
   * these runbooks may change; a runbook that is not begun stays among the starts.
   */
  startRunbooks(): RunbookProgress[];
  result(): BatchResult;
}

/**
 * Evaluates messages in order, and only the first ones if all would exceed the weight limit. Bad data never
 * throws: a rule or trigger that fails does so alone, with its reason.
 */
export function decideMessages(
  input: BatchInput & { messages: readonly ReceivedMessage[] },
): DecidedMessages {
  const batch = startBatch(input);
  const messages: MessageDecision[] = [];
  for (const message of input.messages) {
    if (isFull(batch)) break;
    beginBatchItem(batch);
    messages.push(decideMessage(batch, message));
  }
  const runbookStarts = [...batch.runbookStarts];
  return {
    messages,
    runbookStarts,
    startRunbooks: () => startRunbooks(batch, runbookStarts, input.messages),
    result: () => toBatchResult(batch),
  };
}

/** Evaluates messages; the runbooks they start are requested but not run. */
export function decideBatch(
  input: BatchInput & { messages: readonly ReceivedMessage[] },
): BatchResult & { messages: MessageDecision[] } {
  const { messages, result } = decideMessages(input);
  return { messages, ...result() };
}

/**
 * Evaluates changes from the API, the recovery timer or a reset; `notes` lists those that were skipped and
 * why.
 */
export function decideEvents(
  input: BatchInput & { changes: readonly RequestedSeverityChange[] },
): BatchResult & { notes: Reason[] } {
  const batch = startBatch(input);
  const notes: Reason[] = [];
  for (const { scopeId, severityName, change, source, cause } of input.changes) {
    const scope = batch.scope(scopeId);
    if (!scope) {
      notes.push(reason('why.event.noScope', { scopeId }));
      continue;
    }
    const set = 'to' in change ? { set: { value: change.to, fingerprint: null } } : change;
    const { event, note } = applySeverityChange(
      batch,
      { scopeId, severityName, ...set },
      { source, cause, rule: undefined, message: undefined, depth: 0 },
    );
    // A severity that already has the value needs no change.
    if (note && (event || 'delta' in change)) notes.push(note);
  }
  return { notes, ...toBatchResult(batch) };
}

function decideMessage(batch: Batch, message: ReceivedMessage): MessageDecision {
  const { messageId } = message;
  const rules = batch.config.rulesBySlot.get(message.receiveSlotId) ?? [];
  const total = rules.reduce((sum, rule) => (rule.disabled ? sum : sum + 1), 0);
  const notes: Reason[] = [];
  const runbook = batch.config.runbookOfSlot.get(message.receiveSlotId);
  // A slot with a runbook does not need a rule.
  if (rules.length === 0 && !runbook) notes.push(reason('why.message.noRule'));
  else if (rules.length > 0 && total === 0) notes.push(reason('why.message.allDisabled'));
  if (runbook) {
    requestRunbook(
      batch,
      runbook,
      { space: batch.config.space },
      {
        origin: 'receiveSlot',
        sourceMessageId: messageId,
        sourceScopeId: null,
        triggerId: null,
        eventId: null,
        depth: 0,
      },
    );
    notes.push(reason('why.message.runbook', { runbook: runbook.displayName }));
  }
  const decisions: RuleDecision[] = [];
  let matched = 0;
  for (const rule of rules) {
    // Not built for messages without rules: the view decodes the body.
    const decision = decideRule(batch, rule, { messageId, view: messageView(message) });
    decisions.push(decision);
    if (decision.outcome === 'matched') matched += 1;
  }
  return { messageId, matched, total, rules: decisions, notes };
}
