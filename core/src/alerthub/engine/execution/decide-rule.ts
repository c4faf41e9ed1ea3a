// Evaluates one rule for one message, once or for each element of a list, and applies its severity changes.
import type { ElementDecision, Reason, RuleDecision } from '../../decision-log.ts';
import { toDisplayText } from '../data/convert-values.ts';
import { FlowData } from '../data/flow-data.ts';
import type { WorkBudget } from '../data/work-budget.ts';
import { reason } from '../errors/decision-reason.ts';
import { toFlowError } from '../errors/flow-error.ts';
import {
  type CompiledRule,
  evaluateRule,
  type RuleEvaluation,
  unevaluatedDecision,
} from '../evaluation/evaluate-rule.ts';
import { elementBudget, elementData, maxElements, selectElements } from '../evaluation/rule-elements.ts';
import { applySeverityChange } from './apply-severity-change.ts';
import { addWeight, type Batch, type EventOrigin } from './batch.ts';
import { createScope } from './create-scope.ts';

/** Work that a severity change counts as, of what the elements of a message may take. */
const unitsPerChange = 10_000;
/** Approximate length of the record of an element besides its texts. */
const elementWeight = 200;

/** The message of a decision, as its rules and templates read it. */
type DecidedMessage = NonNullable<EventOrigin['message']>;

export function decideRule(batch: Batch, rule: CompiledRule, message: DecidedMessage): RuleDecision {
  const { ruleId, displayName } = rule;
  const unevaluated = unevaluatedDecision(rule);
  if (unevaluated) return unevaluated;
  if (rule.forEach) return decideElements(batch, rule, rule.forEach, message);
  const data = new FlowData({ message: message.view });
  const evaluation = evaluateRule(rule, data, batch.config.scopeIndex);
  const { outcome, steps, notes } = evaluation;
  applyChanges(batch, rule, evaluation, data, message);
  return { ruleId, displayName, outcome, steps, notes };
}

/** Applies the changes of an evaluation, adds their notes to it, and returns the ids of the events. */
function applyChanges(
  batch: Batch,
  rule: CompiledRule,
  { changes, notes }: RuleEvaluation,
  data: FlowData,
  message: DecidedMessage,
): string[] {
  const eventIds: string[] = [];
  for (const planned of changes) {
    const scopeId = planned.newScope ? createScope(batch, rule, planned.newScope, notes) : planned.scopeId;
    if (scopeId === undefined) continue;
    const { event, note } = applySeverityChange(
      batch,
      { ...planned, scopeId },
      { source: 'rule', rule: { ruleId: rule.ruleId, data }, message, depth: 0 },
    );
    if (event) eventIds.push(event.eventId);
    if (note) notes.push(note);
  }
  return eventIds;
}

/** Evaluates the rule for each element on its own: one that fails leaves the others unaffected. */
function decideElements(
  batch: Batch,
  rule: CompiledRule,
  { text, query }: NonNullable<CompiledRule['forEach']>,
  message: DecidedMessage,
): RuleDecision {
  const { ruleId, displayName } = rule;
  const elements: ElementDecision[] = [];
  const notes: Reason[] = [];
  const decided = (outcome: RuleDecision['outcome'], note?: Reason): RuleDecision => {
    if (note) notes.push(note);
    return { ruleId, displayName, outcome, steps: [], notes, elements };
  };
  let selected: ReturnType<typeof selectElements>;
  try {
    selected = selectElements(query, message.view);
  } catch (error) {
    return decided('failed', toFlowError(error).reason);
  }
  if (!selected) return decided('unmatched', reason('why.elements.noData'));
  const { values, hasMore } = selected;
  if (values.length === 0) return decided('unmatched', reason('why.elements.none', { path: text }));
  const budget = elementBudget();
  for (const [index, value] of values.entries()) {
    const element = decideElement(batch, rule, budget, { index, value }, message);
    if (!addWeight(batch, weightOf(element))) return decided('failed', reason('why.elements.tooMuchWork'));
    elements.push(element);
  }
  if (hasMore) return decided('failed', reason('why.elements.tooMany', { path: text, most: maxElements }));
  const failed = elements.filter(({ outcome }) => outcome === 'failed').length;
  if (elements.some(({ outcome }) => outcome === 'matched'))
    return decided('matched', failed > 0 ? reason('why.elements.someFailed', { count: failed }) : undefined);
  return decided(failed > 0 ? 'failed' : 'unmatched');
}

function decideElement(
  batch: Batch,
  rule: CompiledRule,
  budget: WorkBudget,
  { index, value }: { index: number; value: unknown },
  message: DecidedMessage,
): ElementDecision {
  const data = elementData(message.view, value, index, budget);
  let evaluation = evaluateRule(rule, data, batch.config.scopeIndex);
  try {
    for (const _change of evaluation.changes) budget.spend(unitsPerChange);
  } catch (error) {
    evaluation = { outcome: 'failed', steps: [], notes: [toFlowError(error).reason], changes: [] };
  }
  const eventIds = applyChanges(batch, rule, evaluation, data, message);
  const { outcome, steps, notes } = evaluation;
  const last = outcome === 'matched' ? undefined : steps.at(-1);
  return {
    index,
    text: toDisplayText(value),
    outcome,
    ...(last && last.outcome !== 'passed' ? { step: { ...last, number: steps.length } } : {}),
    notes,
    eventIds,
  };
}

/** Approximate length of a stored element decision in characters. */
function weightOf({ text, step, notes, eventIds }: ElementDecision): number {
  const texts = JSON.stringify([text, step, notes]).length;
  return elementWeight + texts + eventIds.length * 40;
}
