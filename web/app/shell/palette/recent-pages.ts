// Items opened recently in this browser, for the command palette.

export interface RecentPage {
  to: string;
  text: string;
}

const storageKey = 'recent';
const maxRecent = 8;

/** Returns the most recent first; empty if the storage is unavailable or its content is invalid. */
export function readRecentPages(storage: Pick<Storage, 'getItem'>): RecentPage[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.filter(
      (page) => typeof page?.to === 'string' && /^\/(?!\/)/.test(page.to) && typeof page.text === 'string',
    );
  } catch {
    return [];
  }
}

/** Moves an item to the front; an unavailable or full storage is ignored. */
export function saveRecentPage(storage: Pick<Storage, 'getItem' | 'setItem'>, page: RecentPage): void {
  const others = readRecentPages(storage).filter(({ to }) => to !== page.to);
  try {
    storage.setItem(storageKey, JSON.stringify([page, ...others].slice(0, maxRecent)));
  } catch {
    // Storage unavailable: nothing is remembered.
  }
}
