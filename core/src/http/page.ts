// List pages: the query a list takes, the page it gives, and walking all pages.

export interface ListQuery {
  /** 1 to 1000; the server's default is 10. */
  limit?: number;
  offset?: number;
  /** `field,-field`, minus for descending. */
  sort?: string;
  /** SCIM filter (RFC 7644 section 3.4.2.2). */
  filter?: string;
  /** ISO 8601 bounds on the resource's time field. */
  sinceAt?: string;
  untilAt?: string;
  $expand?: string;
}

export interface Page<T> {
  items: T[];
  total: number;
  limit: number;
  offset: number;
}

/** Page size of walks over everything (spec section 9). */
export const walkPageSize = 200;

/** Yields every item, page by page, until the total is reached or a page comes back empty. */
export async function* walk<T>(
  fetchPage: (query: ListQuery) => Promise<Page<T>>,
  query: ListQuery = {},
): AsyncGenerator<T> {
  let offset = query.offset ?? 0;
  const limit = query.limit ?? walkPageSize;
  while (true) {
    const page = await fetchPage({ ...query, limit, offset });
    yield* page.items;
    offset += page.items.length;
    if (page.items.length === 0 || offset >= page.total) return;
  }
}
