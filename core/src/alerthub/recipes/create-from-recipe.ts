// Creates a receive slot from a recipe, with its rules, by the calls that a user has; nothing is kept if one of
// them fails.
import { Problem } from '../../http/problem.ts';
import type { Transport } from '../../http/transport.ts';
import type { Translate } from '../../i18n/translator.ts';
import { createClient } from '../../resource/client.ts';
import type { AnyResource, Item } from '../../resource/define-resource.ts';
import { receiveSlot } from '../receive-slot.ts';
import { rule } from '../rule.ts';
import { scope } from '../scope.ts';
import type { Recipe } from './recipe.ts';
import { recipeRules, recipeThresholds } from './recipe-rules.ts';

export interface RecipeRequest {
  /** Name of the slot. */
  displayName: string;
  /** An existing scope, or the name of a new one. */
  scope: { scopeId: string } | { displayName: string };
}

export interface RecipeResult {
  slot: Item<typeof receiveSlot>;
  scope: Item<typeof scope>;
  /** The snippet of the recipe with the address of the slot. */
  snippet: string;
}

/** Throws the Problem of the call that failed, after everything created before was deleted. */
export async function createFromRecipe(
  transport: Transport,
  recipe: Recipe,
  request: RecipeRequest,
  { t, signal }: { t: Translate; signal?: AbortSignal },
): Promise<RecipeResult> {
  const created: { resource: AnyResource; id: string }[] = [];
  const options = signal ? { signal } : {};
  const create = async <T>(resource: AnyResource, body: object): Promise<T> => {
    const item = await createClient(resource, transport).create(body, {}, options);
    created.push({ resource, id: String(item[resource.id]) });
    return item as T;
  };
  try {
    const target = await resolveScope(transport, recipe, request, create);
    const slot = await create<Item<typeof receiveSlot>>(receiveSlot, {
      displayName: request.displayName,
      ...recipe.slot,
    });
    const { receiveSlotId } = slot;
    const rules = recipeRules(recipe, { ...target, receiveSlotId, slotName: request.displayName }, t);
    for (const body of rules) await create(rule, body);
    return { slot, scope: target, snippet: fillSnippet(recipe, slot) };
  } catch (error) {
    if (created.length === 0 || !(error instanceof Problem)) throw error;
    const kept = await removeAll(transport, created);
    throw withNote(error, kept, t);
  }
}

export function fillSnippet(recipe: Recipe, { primary }: { primary: string }): string {
  return recipe.snippet.replaceAll(/\{\{(?:url|mailAddress)\}\}/g, () => primary);
}

async function resolveScope(
  transport: Transport,
  recipe: Recipe,
  { scope: wanted }: RecipeRequest,
  create: <T>(resource: AnyResource, body: object) => Promise<T>,
): Promise<Item<typeof scope>> {
  if ('scopeId' in wanted) return createClient(scope, transport).show(wanted.scopeId);
  const { displayName } = wanted;
  const { recoveryTime } = recipe;
  return create(scope, { displayName, thresholds: recipeThresholds, recoveryTime });
}

/** Deletes what was created, latest first; returns the names of what could not be deleted. */
async function removeAll(
  transport: Transport,
  created: readonly { resource: AnyResource; id: string }[],
): Promise<string[]> {
  const kept: string[] = [];
  for (const { resource, id } of created.toReversed()) {
    try {
      await createClient(resource, transport).remove(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      kept.push(`${resource.name} ${id}`);
    }
  }
  return kept;
}

/** The same problem, with a detail that says what is left of the attempt. */
function withNote(problem: Problem, kept: readonly string[], t: Translate): Problem {
  const { kind, title, invalidParams, retryAfter } = problem;
  const reason = problem.detail ?? title;
  const note = kept.length === 0 ? t('recipe.undone') : t('recipe.left', { items: kept.join(', ') });
  return new Problem(kind, {
    detail: `${reason} ${note}`,
    invalidParams,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: problem,
  });
}
