// The rules that a recipe makes for a slot and a scope.
import { countCharacters } from '../../format/graphemes.ts';
import { truncateMiddle } from '../../format/truncate.ts';
import type { Translate } from '../../i18n/translator.ts';
import { defaultSeverityName, type ScopeStatus, scopeStatuses, type Thresholds } from '../scope-status.ts';
import type { Recipe } from './recipe.ts';

/** Thresholds of a scope made with a recipe: many warnings together stay below an incident. */
export const recipeThresholds: Thresholds = { warning: 1, incident: 100 };

const maxNameLength = 30;

export interface RecipeTarget {
  receiveSlotId: string;
  /** Name of the slot, from which the rules are named. */
  slotName: string;
  scopeId: string;
  thresholds: Thresholds;
}

export function recipeRules(recipe: Recipe, target: RecipeTarget, t: Translate) {
  const { receiveSlotId, slotName, scopeId, thresholds } = target;
  const values: Record<ScopeStatus, number> = { ...thresholds, normal: 0 };
  return scopeStatuses.flatMap((status) => {
    const steps = recipe.rules[status];
    if (!steps) return [];
    return {
      displayName: ruleName(slotName, t(`value.${status}`)),
      remarks: '',
      receiveSlotId,
      disabled: false,
      forEach: recipe.forEach,
      flow: { steps: [...recipe.steps, ...steps] },
      eventParams: [
        {
          scopeId,
          severityName: recipe.severityName
            ? { path: recipe.severityName }
            : { literal: defaultSeverityName },
          mode: 'set' as const,
          value: values[status],
          fingerprint: recipe.fingerprint ? { path: recipe.fingerprint } : null,
        },
      ],
      conditionalEventParams: [],
    };
  });
}

/** The name of the slot, shortened if needed, and the status. */
function ruleName(slotName: string, status: string): string {
  const room = maxNameLength - countCharacters(status, maxNameLength) - 1;
  return `${truncateMiddle(slotName, room)} ${status}`;
}
