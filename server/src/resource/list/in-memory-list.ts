// Applies limit, offset, sort and filter to small lists held in memory.
import type { Page } from '@yagura/core/http/page';
import { matchesFilter } from '@yagura/core/query/filter';
import { compareText } from '@yagura/core/query/order';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import type { RequestContext } from '../request-context.ts';
import { readListQuery } from './list-query.ts';

type Item = Record<string, unknown>;

/**
 * Keeps the given order unless sorted: texts by `compare`, and unknown values first, as from the database. Throws the
 * 400 of an invalid list query.
 */
export function listInMemory(
  resource: AnyResource,
  items: readonly Item[],
  { query, t }: Pick<RequestContext, 'query' | 't'>,
  compare: (left: string, right: string, field: string) => number = compareText,
): Page<Item> {
  const { filter, sort, limit, offset } = readListQuery(resource, query, t);
  const kept = filter ? items.filter((item) => matchesFilter(filter, item)) : [...items];
  if (query.sort) {
    const keys = [...sort, { field: resource.id, descending: sort.length === 1 && sort[0]!.descending }];
    kept.sort((left, right) => {
      for (const { field, descending } of keys) {
        const [a, b] = [left[field] ?? null, right[field] ?? null];
        const order =
          a === null || b === null
            ? Number(a !== null) - Number(b !== null)
            : compare(String(a), String(b), field);
        if (order !== 0) return descending ? -order : order;
      }
      return 0;
    });
  }
  const max = query.limit ? limit : kept.length;
  return { items: kept.slice(offset, offset + max), total: kept.length, limit: max, offset };
}
