// Names of things that other things point at, gathered by a loader so that widgets never fetch.

/** Resource name to id to what is known of it; `href` is absent where the reader may not open it. */
export type References = Record<string, Record<string, { name: string; href?: string }>>;
