// The things somebody opened last in this browser, for the command palette.

export interface RecentPlace {
  to: string;
  text: string;
}

const key = 'recent';
const kept = 8;

/** Last ones first; none where the storage is closed or holds something else. */
export function readRecent(storage: Pick<Storage, 'getItem'>): RecentPlace[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.filter(
      (place) =>
        typeof place?.to === 'string' && /^\/(?!\/)/.test(place.to) && typeof place.text === 'string',
    );
  } catch {
    return [];
  }
}

/** Puts a place first; a closed or full storage is no error. */
export function keepRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, place: RecentPlace): void {
  const others = readRecent(storage).filter(({ to }) => to !== place.to);
  try {
    storage.setItem(key, JSON.stringify([place, ...others].slice(0, kept)));
  } catch {
    // Then nothing is remembered.
  }
}
