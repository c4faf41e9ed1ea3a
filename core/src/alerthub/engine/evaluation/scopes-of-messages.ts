// Finds the scopes that messages may change, whose state is loaded before the messages are evaluated.
import { FlowData, messageView, type ReceivedMessage } from '../data/flow-data.ts';
import { type CompiledConfig, possibleScopesOf } from './compile-config.ts';
import { type CompiledRule, evaluateRule, type RuleEvaluation } from './evaluate-rule.ts';
import { elementBudget, elementData, selectElements } from './rule-elements.ts';
import type { ScopeLookup } from './scope-index.ts';

/**
 * Rules that could select more scopes than these are evaluated twice: first to find the scopes. Which ones a rule selects
 * does not depend on their state. For fewer it is faster to load all of them.
 */
export const maxPossibleScopes = 100;

/** Ids of scopes that messages may change. */
export interface AffectedScopes {
  touched: Set<string>;
  /** Those whose contributions may change. */
  withFingerprints: Set<string>;
}

/** `read` returns the messages of these slots, in the same order; it is only called if rules have to be evaluated. */
export function scopesOfMessages(
  config: CompiledConfig,
  slots: readonly { receiveSlotId: string }[],
  read: () => readonly ReceivedMessage[],
): AffectedScopes {
  const affected: AffectedScopes = { touched: new Set(), withFingerprints: new Set() };
  const add = (scopeId: string, hasFingerprint: boolean) => {
    affected.touched.add(scopeId);
    if (hasFingerprint) affected.withFingerprints.add(scopeId);
  };
  for (const slotId of new Set(slots.map(({ receiveSlotId }) => receiveSlotId))) {
    for (const rule of config.rulesBySlot.get(slotId) ?? []) {
      if (rule.disabled || rule.compileError) continue;
      if (!selectsAmongMany(rule, config)) addPossible(rule, config, add);
      else
        for (const message of read())
          if (message.receiveSlotId === slotId) addSelected(rule, message, config.scopeIndex, add);
    }
  }
  return affected;
}

type AddScope = (scopeId: string, hasFingerprint: boolean) => void;

function selectsAmongMany({ events }: CompiledRule, config: CompiledConfig): boolean {
  return events.some((event) => !possibleScopesOf(event, config, maxPossibleScopes));
}

function addPossible(rule: CompiledRule, config: CompiledConfig, add: AddScope): void {
  for (const event of rule.events) {
    const hasFingerprint = 'value' in event.change && event.change.fingerprint !== undefined;
    for (const scopeId of possibleScopesOf(event, config, maxPossibleScopes)!) add(scopeId, hasFingerprint);
  }
}

function addSelected(rule: CompiledRule, message: ReceivedMessage, scopes: ScopeLookup, add: AddScope): void {
  for (const { changes } of evaluations(rule, messageView(message), scopes))
    for (const { newScope, set, ...change } of changes)
      if (!newScope && 'scopeId' in change)
        add(change.scopeId, set !== undefined && set.fingerprint !== null);
}

/** The evaluation of a message, or of each of its elements that can be evaluated. */
function* evaluations(
  rule: CompiledRule,
  view: Record<string, unknown>,
  scopes: ScopeLookup,
): Iterable<RuleEvaluation> {
  if (!rule.forEach) return yield evaluateRule(rule, new FlowData({ message: view }), scopes);
  let values: readonly unknown[];
  try {
    values = selectElements(rule.forEach.query, view)?.values ?? [];
  } catch {
    // Fails this rule alone, with its reason, when it is decided.
    return;
  }
  const budget = elementBudget();
  for (const [index, value] of values.entries())
    yield evaluateRule(rule, elementData(view, value, index, budget), scopes);
}
