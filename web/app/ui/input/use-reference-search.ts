// Searches on the server for the items of a resource that has too many to be offered at once.
import { useEffect, useState } from 'react';
import { type FoundReferences, referenceSearchPath } from '../references.ts';

/** Milliseconds after the last key press. */
const searchDelayMs = 200;

export interface ReferenceSearch {
  /** Undefined while the first result is awaited, or nothing is searched for. */
  found: FoundReferences['options'] | undefined;
  hasFailed: boolean;
}

const nothing: ReferenceSearch = { found: undefined, hasFailed: false };

/** `resource` is undefined if all items are known; an empty text finds nothing. */
export function useReferenceSearch(resource: string | undefined, text: string): ReferenceSearch {
  const [search, setSearch] = useState(nothing);
  useEffect(() => {
    if (resource === undefined || text === '') return setSearch(nothing);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const reply = await fetch(referenceSearchPath(resource, text), { signal: controller.signal });
        if (!reply.ok) throw new Error(`The search was answered with ${reply.status}`);
        const { options } = (await reply.json()) as FoundReferences;
        if (!controller.signal.aborted) setSearch({ found: options, hasFailed: false });
      } catch {
        if (!controller.signal.aborted) setSearch({ found: undefined, hasFailed: true });
      }
    }, searchDelayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [resource, text]);
  return search;
}
