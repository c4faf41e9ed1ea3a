// Searches on the server for the items of a resource that has too many to be offered at once.
import { useEffect, useState } from 'react';
import { type FoundReferences, referenceSearchPath } from '../references.ts';

/** Milliseconds after the last key press. */
const searchDelayMs = 200;

export interface ReferenceSearch {
  /** What was found for the current text; undefined while it is awaited, or nothing is searched for. */
  found: FoundReferences | undefined;
  isSearching: boolean;
  hasFailed: boolean;
}

interface FinishedSearch {
  text: string;
  /** Undefined if the search failed. */
  found: FoundReferences | undefined;
}

/** `resource` is undefined if all items are known; an empty text finds nothing. */
export function useReferenceSearch(resource: string | undefined, text: string): ReferenceSearch {
  const [finished, setFinished] = useState<FinishedSearch>();
  const isNeeded = resource !== undefined && text !== '';
  useEffect(() => {
    setFinished(undefined);
    if (!isNeeded) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const reply = await fetch(referenceSearchPath(resource, text), { signal: controller.signal });
        if (!reply.ok) throw new Error(`The search was answered with ${reply.status}`);
        const found = (await reply.json()) as FoundReferences;
        if (!controller.signal.aborted) setFinished({ text, found });
      } catch {
        if (!controller.signal.aborted) setFinished({ text, found: undefined });
      }
    }, searchDelayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [resource, text, isNeeded]);
  // The first render with a new text still has the previous result.
  const current = finished?.text === text ? finished : undefined;
  return {
    found: current?.found,
    isSearching: isNeeded && !current,
    hasFailed: isNeeded && current !== undefined && current.found === undefined,
  };
}
