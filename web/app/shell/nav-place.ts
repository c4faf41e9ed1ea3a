// Which entry of the drawer a page belongs to.

/** Pages that stand beside the list they belong to, not below it. */
const beside: [page: RegExp, list: string][] = [
  [/^\/preference\/kroker\/[^/]+\/logs$/, '/preference/kroker/list'],
];

/** The entry whose path is the page's or the longest beginning of it, by whole segments. */
export function currentEntry<E extends { to: string }>(entries: readonly E[], path: string): E | undefined {
  const place = beside.find(([page]) => page.test(path))?.[1] ?? path;
  let best: E | undefined;
  for (const entry of entries) {
    const within = place === entry.to || place.startsWith(`${entry.to}/`);
    if (within && (!best || entry.to.length > best.to.length)) best = entry;
  }
  return best;
}
