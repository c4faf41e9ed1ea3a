// Paths of the pages on a card that guests may open (spec section 2).
export const accountPagePaths = [
  '/activate-invitation',
  '/change-password',
  '/change-email',
  '/restore-email',
  '/link-account',
] as const;
export type AccountPagePath = (typeof accountPagePaths)[number];

/** The card page that a request wants; undefined when it wants something else. */
export function accountPagePath(url: string | undefined): AccountPagePath | undefined {
  const path = (url ?? '').split('?')[0]!.replace(/\/$/, '');
  return accountPagePaths.find((known) => known === path);
}
