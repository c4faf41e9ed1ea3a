// Names of referenced items, collected by a loader so that components never fetch.

/** Maps resource name and id to the item's name; `href` is absent if the user may not open it. */
export type References = Record<string, Record<string, { name: string; href?: string }>>;
