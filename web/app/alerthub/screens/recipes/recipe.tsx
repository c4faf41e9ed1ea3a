// Form that creates a receive slot and its rules from a recipe.

import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { createFromRecipe } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { recipeForm } from '@yagura/core/alerthub/recipes/recipe-form';
import { recipeTitle } from '@yagura/core/alerthub/recipes/recipe-title';
import { scope } from '@yagura/core/alerthub/scope';
import { invalidField } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { dataKey } from '@yagura/core/i18n/message-key';
import { shapeFields } from '@yagura/core/resource/field';
import { preferencesOf } from '../../../preferences/preferences.server.ts';
import { toActionProblem, useProblemToast } from '../../../resource/write/use-problem-toast.ts';
import { toProblemResponse } from '../../../resource/write/write.server.ts';
import { useActionResult } from '../../../shell/feedback/use-action-result.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { readForm } from '../../../ui/field/form-data.ts';
import { Form } from '../../../ui/form/form.tsx';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { maxReferenceOptions } from '../../../ui/references.ts';
import { useTranslation } from '../../../ui/translation.tsx';
import { assertMayUseRecipes, recipeCrumbs, requireRecipe } from './recipe-pages.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const { name, product } = requireRecipe(args.params.recipe);
    await assertMayUseRecipes(api);
    const { items } = await api.client(scope).list({ limit: maxReferenceOptions, sort: 'displayName' });
    const scopes = Object.fromEntries(items.map((one) => [one.scopeId, { name: one.displayName }]));
    const label = product === null ? { labelKey: dataKey(`recipe.${name}.title`) } : { text: product };
    return {
      recipe: { name, product },
      meta: shapeFields(recipeForm),
      references: { scope: scopes },
      crumbs: recipeCrumbs(label),
    };
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const values = readForm(await args.request.formData(), shapeFields(recipeForm));
  const { language } = preferencesOf(args.request);
  return withApi(args, async (api) => {
    const recipe = requireRecipe(args.params.recipe);
    const t = await loadTranslator(language);
    const { scopeId, newScopeName } = values;
    try {
      if (!scopeId && !newScopeName) throw invalidField('scopeId', t('recipe.scope-missing'));
      const target = scopeId ? { scopeId: String(scopeId) } : { displayName: String(newScopeName) };
      const request = { displayName: String(values.displayName ?? ''), scope: target };
      const { slot } = await createFromRecipe(api.transport, recipe, request, { t });
      const id = encodeURIComponent(slot.receiveSlotId);
      return redirect(`/apps/alerthub/receive-slots/${id}/setup?recipe=${recipe.name}`);
    } catch (error) {
      return toProblemResponse(error, values);
    }
  });
}

export default function RecipeScreen() {
  const { recipe, meta, references } = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const refused = toActionProblem(useActionResult<typeof action>());
  const isMarked = refused && Object.keys(refused.errors).length > 0;
  useProblemToast(isMarked ? undefined : refused);
  const title = recipeTitle(recipe, t);
  const list = '/apps/alerthub/receive-slots/recipes';
  // Without a product, the title is no name for what sends the messages, nor for what is monitored.
  const name = recipe.product === null ? '' : title;
  const values = { displayName: name, newScopeName: name };
  return (
    <div className="max-w-3xl">
      <ResourceHeader title={title} kind={t('recipe.title')} backHref={list} />
      <p className="mb-4 max-w-prose text-sm text-muted">{t(dataKey(`recipe.${recipe.name}.about`))}</p>
      <Form
        meta={meta}
        references={references}
        values={refused ? { ...values, ...refused.values } : values}
        errors={refused?.errors}
        hints={{ newScopeName: t('recipe.scope-hint') }}
        submitLabel={t('verb.create')}
        cancelHref={list}
      />
    </div>
  );
}
