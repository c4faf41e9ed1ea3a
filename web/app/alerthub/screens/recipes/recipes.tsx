// List of recipes to choose from.

import type { LoaderFunctionArgs } from '@remix-run/node';
import { Link, useLoaderData, useSearchParams } from '@remix-run/react';
import { recipeTitle } from '@yagura/core/alerthub/recipes/recipe-title';
import { recipes } from '@yagura/core/alerthub/recipes/recipes';
import { dataKey } from '@yagura/core/i18n/message-key';
import { withApi } from '../../../signin/api.server.ts';
import { Placeholder } from '../../../ui/page/placeholder.tsx';
import { ResourceHeader } from '../../../ui/page/resource-header.tsx';
import { FilterBox } from '../../../ui/table/search-box.tsx';
import { useTranslation } from '../../../ui/translation.tsx';
import { assertMayUseRecipes, recipeCrumbs } from './recipe-pages.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    await assertMayUseRecipes(api);
    const list = recipes.map(({ name, product, slot: { kind } }) => ({ name, product, kind }));
    return { recipes: list, crumbs: recipeCrumbs() };
  });
}

export default function Recipes() {
  const data = useLoaderData<typeof loader>();
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const words = (params.get('search') ?? '').toLowerCase().split(/\s+/);
  const shown = data.recipes
    .map((one) => ({ ...one, title: recipeTitle(one, t), about: t(dataKey(`recipe.${one.name}.about`)) }))
    .filter(({ title, about }) => words.every((word) => `${title} ${about}`.toLowerCase().includes(word)));
  return (
    <>
      <ResourceHeader title={t('recipe.title')} backHref="/apps/alerthub/receive-slots" />
      <p className="mb-3 max-w-prose text-sm text-muted">{t('recipe.choose')}</p>
      <FilterBox label={t('recipe.search')} />
      {shown.length === 0 && <Placeholder kind="empty" title={t('recipe.none')} />}
      <ul className="mt-3 grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map(({ name, title, about, kind }) => (
          <li key={name}>
            <Link
              to={`/apps/alerthub/receive-slots/recipes/${name}`}
              className="grid h-full content-start gap-1 rounded-md border border-line bg-surface px-3 py-2 text-text no-underline hover:border-line-strong hover:bg-hover"
            >
              <span className="flex flex-wrap items-center gap-2 font-semibold">
                {title}
                <span className="text-xs font-normal text-muted">{t(`value.${kind}`)}</span>
              </span>
              <span className="text-sm text-muted">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
