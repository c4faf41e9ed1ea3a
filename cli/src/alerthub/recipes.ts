// `receive-slots recipes` and `receive-slots create --recipe`.

import type { RecipeRequest } from '@yagura/core/alerthub/recipes/create-from-recipe';
import { recipeTitle } from '@yagura/core/alerthub/recipes/recipe-title';
import { Problem } from '@yagura/core/http/problem';
import { dataKey } from '@yagura/core/i18n/message-key';
import type { Fields } from '@yagura/core/resource/resource-meta';
import type { DataOptions } from '../command-line/data-options.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { nounOf } from '../resource/meta/noun.ts';
import { resolveId } from '../resource/meta/resolve-id.ts';
import { resourceNamed } from '../resource/meta/resource-client.ts';
import { isTableFormat, parseOutputFormat } from '../resource/output/output-format.ts';
import { writeItem, writeRows } from '../resource/output/write-output.ts';
import { openSession } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';

const text = { kind: 'text', required: true } as Fields[string];

export async function listRecipes(terminal: Terminal, options: DataOptions): Promise<void> {
  const { t } = terminal;
  const { recipes } = await import('@yagura/core/alerthub/recipes/recipes');
  const fields: Fields = { name: text, product: text, kind: text, description: text };
  const columns = Object.keys(fields);
  const format = parseOutputFormat(options, columns);
  const rows = recipes.map((recipe) => ({
    name: recipe.name,
    product: recipeTitle(recipe, t),
    kind: recipe.slot.kind,
    description: t(dataKey(`recipe.${recipe.name}.about`)),
  }));
  const labels = { product: t('recipe.sender') };
  await writeRows(terminal, rows, { fields, columns, labels }, format, openSession(terminal).transport);
}

export interface RecipeOptions extends DataOptions {
  recipe: string;
  displayName?: string;
  scope?: string;
}

/** Creates the slot with its rules, and prints what to enter at the sender. */
export async function createFromRecipeCommand(terminal: Terminal, options: RecipeOptions): Promise<void> {
  const { t, signal } = terminal;
  const { displayName, scope } = options;
  const missing = [...(displayName ? [] : ['--display-name']), ...(scope ? [] : ['--scope'])];
  if (!displayName || !scope) throw new UsageError('cli.usage.missing-flag', { flag: missing.join(', ') });
  const { findRecipe } = await import('@yagura/core/alerthub/recipes/recipes');
  const recipe = findRecipe(options.recipe);
  if (!recipe) throw new UsageError('recipe.unknown', { name: options.recipe });
  const format = parseOutputFormat(options, Object.keys(resourceNamed('receive-slot').fields));
  const { transport } = openSession(terminal);
  const { createFromRecipe } = await import('@yagura/core/alerthub/recipes/create-from-recipe');
  const request = { displayName, scope: await findScope(terminal, scope) };
  const { slot, snippet } = await createFromRecipe(transport, recipe, request, { t, signal });
  const noun = nounOf(resourceNamed('receive-slot'), terminal, 0);
  printMessage(
    terminal,
    terminal.err.paint('success', t('cli.done.create', { noun, name: cleanLine(displayName) })),
  );
  if (format && !isTableFormat(format)) {
    const { fields, columns, id } = resourceNamed('receive-slot');
    await writeItem(terminal, { ...slot }, { fields, columns, id }, format, transport);
    return;
  }
  printMessage(terminal, t(dataKey(`recipe.${recipe.name}.setup`)));
  terminal.out.write(snippet);
}

/** The scope with this name or id; otherwise a new one gets the name. */
async function findScope(terminal: Terminal, scope: string): Promise<RecipeRequest['scope']> {
  const { transport } = openSession(terminal);
  try {
    return { scopeId: await resolveId(resourceNamed('scope'), scope, transport, {}, terminal.signal) };
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not-found') return { displayName: scope };
    throw error;
  }
}
