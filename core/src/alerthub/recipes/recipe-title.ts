import { dataKey } from '../../i18n/message-key.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Recipe } from './recipe.ts';

/** The name of a recipe's sender: that of the product, or a translated one. */
export const recipeTitle = ({ name, product }: Pick<Recipe, 'name' | 'product'>, t: Translate): string =>
  product ?? t(dataKey(`recipe.${name}.title`));
