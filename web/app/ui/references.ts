// Names of referenced items, collected by a loader so that components never fetch.

export interface Reference {
  name: string;
  /** Timestamp of a record without a name (ISO 8601), shown instead of its id. */
  at?: string;
  /** Absent if the item has no page. */
  href?: string;
}

/**
 * References by resource name and id: null if the item is deleted, absent if that is unknown because the user may not read
 * it.
 */
export type References = Record<string, Record<string, Reference | null>>;

/** What reference inputs offer, by resource name and id. */
export type ReferenceOptions = Record<string, Record<string, Reference>>;

/** Maximum items of a resource that a form offers at once; the others are found by searching. */
export const maxReferenceOptions = 1000;

/** What the search for items of a resource returns. */
export interface FoundReferences {
  /** Id and name, in display order. */
  options: [id: string, name: string][];
  /** Whether there are more with the searched text. */
  hasMore: boolean;
}

/** Where items of a resource are searched for by name; the item with the id is among the found in any case. */
export const referenceSearchPath = (resource: string, text: string, id?: string): string =>
  `/reference-options/${encodeURIComponent(resource)}?${new URLSearchParams({ text, ...(id ? { id } : {}) })}`;
