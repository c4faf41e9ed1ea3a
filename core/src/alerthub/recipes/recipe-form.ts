// Fields of the form that creates a receive slot from a recipe.
import { z } from 'zod';
import * as field from '../../resource/field.ts';

export const recipeForm = z.object({
  /** Name of the receive slot. */
  displayName: field.displayName(),
  scopeId: field.reference('scope').nullable().default(null),
  /** Used if no scope is selected. */
  newScopeName: field.text(30).default(''),
});
