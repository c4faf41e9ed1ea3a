// List pages: the query a list takes, the page it gives, and walking all pages.
import { Problem } from './problem.ts';

export interface ListQuery {
  /** 1 to 1000; the server's default is 10. */
  limit?: number;
  offset?: number;
  /** `field,-field`, minus for descending. */
  sort?: string;
  /** SCIM filter (RFC 7644 section 3.4.2.2). */
  filter?: string;
  /** Words that items are to say, where the resource is searched. */
  search?: string;
  /** ISO 8601 bounds on the resource's time field. */
  sinceAt?: string;
  untilAt?: string;
  $expand?: string;
}

export interface Page<T> {
  items: T[];
  total: number;
  /** Set when there are more than were counted; `total` is then beyond the page, so that walks go on. */
  totalIsLeast?: true;
  limit: number;
  offset: number;
}

/** Page size of walks over everything (spec section 9). */
export const fetchAllPageSize = 200;

/** Pages in a row that bring a walk no further after which it gives up. */
const maxEmptyPages = 50;

/**
 * Yields every item, page by page, until the total is reached. Others may add and remove items meanwhile: pages
 * overlap by one, and where the overlap is lost the walk steps back, so that an item that is there all the time, under
 * the same sort key, comes exactly once. `idOf` tells items apart. Throws when the list moves faster than it is read.
 */
export async function* fetchAllPages<T>(
  fetchPage: (query: ListQuery) => Promise<Page<T>>,
  query: ListQuery,
  idOf: (item: T) => unknown,
): AsyncGenerator<T> {
  const limit = query.limit ?? fetchAllPageSize;
  const first = query.offset ?? 0;
  const seen = new Set<unknown>();
  let offset = first;
  let furthest = 0;
  let barren = 0;
  while (true) {
    if (barren > maxEmptyPages)
      throw new Problem('unavailable', { detail: 'the list changes faster than it can be read' });
    const page = await fetchPage({ ...query, limit, offset });
    const joins = offset <= first || (page.items.length > 0 && seen.has(idOf(page.items[0]!)));
    if (!joins) {
      // Something before this page went away and moved the rest up: what lies between is still to be read.
      offset = Math.max(first, offset - Math.max(1, limit - 1));
      barren += 1;
      continue;
    }
    const fresh = page.items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    yield* fresh;
    const end = offset + page.items.length;
    if (page.items.length === 0 || end >= page.total) return;
    barren = end > furthest && fresh.length > 0 ? 0 : barren + 1;
    furthest = Math.max(furthest, end);
    // One item is read twice to see that nothing moved; a page of one has no room for that.
    offset = page.items.length > 1 ? end - 1 : end;
  }
}
