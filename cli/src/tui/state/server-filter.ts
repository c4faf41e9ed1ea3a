// Converts typed words to an API filter: each word must occur in a filterable text or enumeration field.

import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { type Filter, parseFilter, printFilter } from '@yagura/core/query/filter';
import { traitsOf } from '@yagura/core/resource/field-kinds';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The filter; undefined when the list has no field to match a word against. */
export function toServerFilter(meta: ResourceMeta, typed: string, t: Translate): string | undefined {
  const words = typed
    .split(/[\s\u3000]+/)
    .filter(Boolean)
    .slice(0, 8);
  const parts = words.map((word) => wordFilter(meta, word, t));
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const [first, ...more] = parts as Filter[];
  return printFilter(more.length === 0 ? first! : { op: 'and', items: [first!, ...more] });
}

/** A filter that both match; either may be missing. */
export function combineFilters(first: string | undefined, second: string | undefined): string | undefined {
  if (!first || !second) return first || second || undefined;
  return printFilter({ op: 'and', items: [parseFilter(first), parseFilter(second)] });
}

function wordFilter(meta: ResourceMeta, word: string, t: Translate): Filter | undefined {
  const terms = meta.filterable.flatMap((field): Filter[] => {
    const fieldMeta = meta.fields[field];
    if (!fieldMeta) return [];
    if (traitsOf(fieldMeta.kind).prose) return [{ op: 'co', field, value: word }];
    if (uuid.test(word) && (fieldMeta.kind === 'id' || fieldMeta.kind === 'reference'))
      return [{ op: 'eq', field, value: word.toLowerCase() }];
    const wanted = word.toLowerCase();
    return (fieldMeta.options ?? [])
      .filter((option) => `${option} ${t(dataKey(`value.${option}`))}`.toLowerCase().includes(wanted))
      .map((value) => ({ op: 'eq', field, value }));
  });
  if (terms.length <= 1) return terms[0];
  return { op: 'or', items: terms };
}
