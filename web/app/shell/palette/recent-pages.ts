// The things somebody opened last in this browser, for the command palette.

export interface RecentPage {
  to: string;
  text: string;
}

const storageKey = 'recent';
const maxRecent = 8;

/** Last ones first; none where the storage is closed or holds something else. */
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

/** Puts a place first; a closed or full storage is no error. */
export function saveRecentPage(storage: Pick<Storage, 'getItem' | 'setItem'>, page: RecentPage): void {
  const others = readRecentPages(storage).filter(({ to }) => to !== page.to);
  try {
    storage.setItem(storageKey, JSON.stringify([page, ...others].slice(0, maxRecent)));
  } catch {
    // Then nothing is remembered.
  }
}
