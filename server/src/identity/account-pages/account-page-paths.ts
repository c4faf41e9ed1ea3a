// Paths of the account pages that are open to guests.
export const accountPagePaths = [
  '/activate-invitation',
  '/change-password',
  '/change-email',
  '/restore-email',
  '/link-account',
] as const;
export type AccountPagePath = (typeof accountPagePaths)[number];

/** The account page of a request URL; undefined for any other URL. */
export function accountPagePath(url: string | undefined): AccountPagePath | undefined {
  const path = (url ?? '').split('?')[0]!.replace(/\/$/, '');
  return accountPagePaths.find((known) => known === path);
}
