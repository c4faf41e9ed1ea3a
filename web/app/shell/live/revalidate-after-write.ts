// Decides when a form on the page of the item that it edits is reset to the item's current values.
import type { ShouldRevalidateFunctionArgs } from '@remix-run/react';

/**
 * For a route's `shouldRevalidate`: reload after own successful writes only, so that changes by others and
 * rejections do not discard what is being typed. The version check catches conflicts on save.
 */
export function revalidateAfterOwnWrite(args: ShouldRevalidateFunctionArgs): boolean {
  return isWriteAccepted(args) ?? args.currentUrl.href !== args.nextUrl.href;
}

/** Returns whether the user's submission succeeded; undefined if nothing was submitted. */
export function isWriteAccepted({
  formMethod,
  actionStatus,
}: ShouldRevalidateFunctionArgs): boolean | undefined {
  return formMethod === undefined ? undefined : (actionStatus ?? 200) < 400;
}
