// Which entry of the drawer a page belongs to.

/** Pages that stand beside the list they belong to, not below it. */
const siblingPages: [page: RegExp, list: string][] = [
  [/^\/preference\/kroker\/[^/]+\/logs$/, '/preference/kroker/list'],
];

/** The entry whose path is the page's or the longest beginning of it, by whole segments. */
export function currentEntry<E extends { to: string }>(entries: readonly E[], path: string): E | undefined {
  const ownerPath = siblingPages.find(([page]) => page.test(path))?.[1] ?? path;
  let best: E | undefined;
  for (const entry of entries) {
    const isWithin = ownerPath === entry.to || ownerPath.startsWith(`${entry.to}/`);
    if (isWithin && (!best || entry.to.length > best.to.length)) best = entry;
  }
  return best;
}
