// Names of referenced items, collected by a loader so that components never fetch.

/** Maps resource name and id to the item's name; `href` is absent if the user may not open it. */
export type References = Record<string, Record<string, { name: string; href?: string }>>;

/** Maximum items of a resource that a form offers at once; the others are found by searching. */
export const maxReferenceOptions = 1000;

/** What the search for items of a resource returns. */
export interface FoundReferences {
  /** Id and name, in display order. */
  options: [id: string, name: string][];
}

/** Where items of a resource are searched for by name. */
export const referenceSearchPath = (resource: string, text: string): string =>
  `/reference-options/${encodeURIComponent(resource)}?${new URLSearchParams({ text })}`;
