// List pages: query parameters, page shape, and iteration over all pages.
import { Problem } from './problem.ts';

export interface ListQuery {
  /** 1 to 1000; the server's default is 10. */
  limit?: number;
  offset?: number;
  /** `field,-field`, minus for descending. */
  sort?: string;
  /** SCIM filter (RFC 7644 section 3.4.2.2). */
  filter?: string;
  /** Full-text search; all words must match. Only for searchable resources. */
  search?: string;
  /** ISO 8601 range on the resource's time field. */
  sinceAt?: string;
  untilAt?: string;
  $expand?: string;
}

export interface PageQuery extends ListQuery {
  /** False if `total` need not count what is beyond the page; sent as `pageCountPreference`. */
  countsAll?: false;
}

/** Value of the header Prefer (RFC 7240) for lists: counting all takes long where there are very many, on every page. */
export const pageCountPreference = 'count=page';

export interface Page<T> {
  items: T[];
  total: number;
  /** Set if the count was cut off; `total` is then beyond the page, so that iteration continues. */
  totalIsLeast?: true;
  /** ISO 8601: a search may lack items since then, which are still being indexed. */
  incompleteSince?: string;
  limit: number;
  offset: number;
}

/** Page size when fetching everything. */
export const fetchAllPageSize = 200;

/** Items after which a list in order of time goes on from a time: the server reads all that an offset skips. */
const maxSkipped = 2000;

/** Maximum number of consecutive pages without progress before giving up. */
const maxEmptyPages = 50;

/**
 * Yields every item, page by page, until the total is reached. The list may change meanwhile: pages overlap
 * by one item, and if the overlap is lost it steps back, so that an item that exists throughout, with an
 * unchanged sort key, is yielded exactly once. `idOf` identifies items. Throws if the list changes faster
 * than it is read.
 */
export async function* fetchAllPages<T>(
  fetchPage: (query: PageQuery) => Promise<Page<T>>,
  query: ListQuery,
  idOf: (item: T) => unknown,
  order?: TimeOrder<T>,
): AsyncGenerator<T> {
  const limit = query.limit ?? fetchAllPageSize;
  let first = query.offset ?? 0;
  /** The time of each item by its id. */
  const seen = new Map<unknown, unknown>();
  let period: Pick<ListQuery, 'sinceAt' | 'untilAt'> = {};
  let reached: string | undefined;
  let offset = first;
  let furthest = 0;
  let barren = 0;
  while (true) {
    if (barren > maxEmptyPages)
      throw new Problem('unavailable', { detail: 'the list changes faster than it can be read' });
    const page = await fetchPage({ ...query, ...period, limit, offset, countsAll: false });
    const joins = offset <= first || (page.items.length > 0 && seen.has(idOf(page.items[0]!)));
    if (!joins) {
      // Items before this page were removed and the rest moved up: step back to read the skipped ones.
      offset = Math.max(first, offset - Math.max(1, limit - 1));
      barren += 1;
      continue;
    }
    const fresh = page.items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.set(idOf(item), order?.timeOf(item));
    yield* fresh;
    const end = offset + page.items.length;
    if (page.items.length === 0 || end >= page.total) return;
    const at = order?.timeOf(page.items.at(-1)!);
    if (order && end - first >= maxSkipped && typeof at === 'string' && at !== reached) {
      reached = at;
      period = order.descending ? { untilAt: justAfter(at) } : { sinceAt: at };
      for (const [id, time] of seen) if (time !== at) seen.delete(id);
      first = 0;
      offset = 0;
      furthest = 0;
      barren = 0;
      continue;
    }
    barren = end > furthest && fresh.length > 0 ? 0 : barren + 1;
    furthest = Math.max(furthest, end);
    // Read one item twice to detect changes; a page of one item has no room for the overlap.
    offset = page.items.length > 1 ? end - 1 : end;
  }
}

/** A list in the order of a time that bounds of the list refer to. */
export interface TimeOrder<T> {
  /** ISO 8601. */
  timeOf(item: T): unknown;
  descending: boolean;
}

/**
 * The order of a list if it is that of the time of its resource. Undefined outside of AlertHub: other lists of the API
 * need not know bounds of time, and would begin anew with each.
 */
export function timeOrder<T>(
  { app, time, defaultSort }: { app: string; time: string | undefined; defaultSort: string },
  sort = defaultSort,
): TimeOrder<T> | undefined {
  if (app !== 'alerthub' || !time || (sort !== time && sort !== `-${time}`)) return undefined;
  return {
    timeOf: (item) => (item as Record<string, unknown>)[time],
    descending: sort.startsWith('-'),
  };
}

/** Items of the same millisecond are before this time. */
const justAfter = (time: string) => new Date(Date.parse(time) + 1).toISOString();
