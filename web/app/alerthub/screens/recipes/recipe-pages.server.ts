// What the pages of recipes share: permission, breadcrumbs and the recipe in the path.

import { receiveSlot } from '@yagura/core/alerthub/receive-slot';
import type { Recipe } from '@yagura/core/alerthub/recipes/recipe';
import { findRecipe } from '@yagura/core/alerthub/recipes/recipes';
import { rule } from '@yagura/core/alerthub/rule';
import { Problem } from '@yagura/core/http/problem';
import type { Crumb } from '../../../shell/navigation/crumb.ts';
import type { Api } from '../../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../../signin/current-user.server.ts';

/** Throws a 403 unless the user may create receive slots and rules. */
export async function assertMayUseRecipes(api: Api): Promise<void> {
  const user = await getCurrentUser(api);
  if (![receiveSlot, rule].every((resource) => resourcePermissions(user, resource).create))
    throw new Problem('forbidden');
}

/** Throws a 404 if there is no such recipe. */
export function requireRecipe(name: string | null | undefined): Recipe {
  const recipe = findRecipe(name ?? '');
  if (!recipe) throw new Problem('not-found');
  return recipe;
}

export const recipeCrumbs = (...more: Crumb[]): Crumb[] => [
  { to: '/apps/alerthub', labelKey: 'shell.alerthub' },
  { to: '/apps/alerthub/receive-slots', noun: receiveSlot.noun },
  { to: '/apps/alerthub/receive-slots/recipes', labelKey: 'recipe.from' },
  ...more,
];
