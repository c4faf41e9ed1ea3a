// What a breadcrumb says (spec section 2).
import type { Translate } from '../words/translate.ts';
import { formatDateTime, type Viewer } from './date-time.ts';
import { truncate } from './truncate.ts';

/** An entity by its display name, a record by its time; either is undefined while it loads. */
export type Crumb = { name: string | undefined } | { at: string | undefined };

/** The display name, the formatted date, or `Loading...`. */
export function crumbText(crumb: Crumb, viewer: Viewer, t: Translate): string {
  if ('at' in crumb) return crumb.at === undefined ? t('format.loading') : formatDateTime(crumb.at, viewer);
  return crumb.name === undefined ? t('format.loading') : truncate(crumb.name);
}
