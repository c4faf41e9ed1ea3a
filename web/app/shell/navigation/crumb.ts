// Breadcrumbs as loaders pass them to the layout.

import { formatDateTimeSeconds } from '@yagura/core/format/date-time';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { Noun } from '@yagura/core/resource/define-resource';
import { resourceNoun } from '@yagura/core/resource/resource-noun';

export interface Crumb {
  /** Absent for a breadcrumb without a page of its own. */
  to?: string;
  /** Display name of an item. */
  text?: string;
  /** Name of a resource; shown in the plural unless there is only one. */
  noun?: Noun;
  one?: boolean;
  /** Message key. */
  labelKey?: MessageKey;
  /** Timestamp of a record (ISO 8601), used as its name. */
  at?: string;
}

/** Returns a resource name, capitalized for a heading or menu entry. */
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

/** Returns the breadcrumbs of the deepest route that has any. */
export function breadcrumbsFromMatches(matches: readonly { data: unknown }[]): Crumb[] {
  for (const match of [...matches].reverse()) {
    const crumbs = (match.data as { crumbs?: Crumb[] } | null | undefined)?.crumbs;
    if (Array.isArray(crumbs)) return crumbs;
  }
  return [];
}
