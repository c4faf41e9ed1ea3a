// Redirect target of a section's root, limited to the pages that the user may open.
import type { CurrentUser } from '../../signin/current-user.server.ts';
import { appSections } from './app-sections.ts';
import { buildNav } from './nav.server.ts';

/** Returns whether a path is the root of a section, where its first breadcrumb leads. */
export function isSectionRoot(path: string): boolean {
  return Object.values(appSections).some(({ to }) => to === path);
}

/** Returns the target if the user's menu has it, else the first entry of the section in that menu, if any. */
export function permittedTarget(root: string, target: string, user: CurrentUser): string {
  const section = Object.values(appSections).find(({ to }) => to === root);
  const entries = buildNav(user).find(({ labelKey }) => labelKey === section?.labelKey)?.entries ?? [];
  return entries.some(({ to }) => to === target) ? target : (entries[0]?.to ?? target);
}
