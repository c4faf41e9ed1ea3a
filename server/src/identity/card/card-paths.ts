// Paths of the pages on a card that guests may open (spec section 2).
export const cardPaths = [
  '/activate-invitation',
  '/change-password',
  '/change-email',
  '/restore-email',
  '/link-account',
] as const;
export type CardPath = (typeof cardPaths)[number];

/** The card page that a request wants; undefined when it wants something else. */
export function cardPath(url: string | undefined): CardPath | undefined {
  const path = (url ?? '').split('?')[0]!.replace(/\/$/, '');
  return cardPaths.find((known) => known === path);
}
