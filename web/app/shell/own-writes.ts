// When a form that stands on the screen of its item is filled anew.
import type { ShouldRevalidateFunctionArgs } from '@remix-run/react';

/**
 * Changes by others, and refusals, do not empty what is being typed: the version tells when it is saved.
 * As `shouldRevalidate` of a route.
 */
export function onlyAfterOwnWrites(args: ShouldRevalidateFunctionArgs): boolean {
  if (args.formMethod !== undefined) return (args.actionStatus ?? 200) < 400;
  return args.currentUrl.href !== args.nextUrl.href;
}
