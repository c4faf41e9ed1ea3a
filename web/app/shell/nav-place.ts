// Which entry of the drawer a page belongs to.

/** The entry whose path is the page's or the longest beginning of it, by whole segments. */
export function currentEntry<E extends { to: string }>(entries: readonly E[], path: string): E | undefined {
  let best: E | undefined;
  for (const entry of entries) {
    const within = path === entry.to || path.startsWith(`${entry.to}/`);
    if (within && (!best || entry.to.length > best.to.length)) best = entry;
  }
  return best;
}
