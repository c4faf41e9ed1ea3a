// Where a page is: the steps of the breadcrumbs, as loaders hand them to the layout.
import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import { resourceNoun } from '@yagura/core/format/resource-noun';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { Noun } from '@yagura/core/resource/define-resource';

export interface Crumb {
  /** Absent for a step that has no screen of its own. */
  to?: string;
  /** Display name of an item. */
  text?: string;
  /** Name of a resource; its plural is shown unless there is only one. */
  noun?: Noun;
  one?: boolean;
  /** Key of a word. */
  labelKey?: string;
  /** A record is named by its moment (ISO 8601). */
  at?: string;
}

/** Name of a resource at the start of a heading or menu entry. */
export function formatNoun(noun: Noun, language: Language, number: 'one' | 'many'): string {
  const text = resourceNoun(noun, language, number);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function formatCrumb(
  crumb: Crumb,
  { t, language, timeZone }: { t: Translate; language: Language; timeZone: string },
): string {
  if (crumb.text !== undefined) return crumb.text;
  if (crumb.noun) return formatNoun(crumb.noun, language, crumb.one ? 'one' : 'many');
  if (crumb.at) return formatDateTimeSeconds(crumb.at, { language, timeZone });
  return crumb.labelKey ? t(crumb.labelKey) : '';
}

/** Crumbs of the deepest screen that has some. */
export function crumbsOfMatches(matches: readonly { data: unknown }[]): Crumb[] {
  for (const match of [...matches].reverse()) {
    const crumbs = (match.data as { crumbs?: Crumb[] } | null | undefined)?.crumbs;
    if (Array.isArray(crumbs)) return crumbs;
  }
  return [];
}
