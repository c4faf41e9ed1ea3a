// When a form that stands on the screen of its item is filled anew.
import type { ShouldRevalidateFunctionArgs } from '@remix-run/react';

/**
 * Changes by others, and refusals, do not empty what is being typed: the version tells when it is saved.
 * As `shouldRevalidate` of a route.
 */
export function revalidateAfterOwnWrite(args: ShouldRevalidateFunctionArgs): boolean {
  return isWriteAccepted(args) ?? args.currentUrl.href !== args.nextUrl.href;
}

/** Whether what the person has sent was taken; undefined when nothing was sent. */
export function isWriteAccepted({
  formMethod,
  actionStatus,
}: ShouldRevalidateFunctionArgs): boolean | undefined {
  return formMethod === undefined ? undefined : (actionStatus ?? 200) < 400;
}
