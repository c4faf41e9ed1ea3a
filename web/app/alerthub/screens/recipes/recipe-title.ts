import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';

/** The name of a recipe's sender. */
export const recipeTitle = ({ name, product }: { name: string; product: string | null }, t: Translate) =>
  product ?? t(dataKey(`recipe.${name}.title`));
