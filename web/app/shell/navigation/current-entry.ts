// Determines which drawer entry a page belongs to.

/** Pages whose path is not below their list's path. */
const siblingPages: [page: RegExp, list: string][] = [
  [/^\/preference\/kroker\/[^/]+\/logs$/, '/preference/kroker/list'],
  [/^\/apps\/greac\/log-retention\/edit$/, '/apps/greac/key-management'],
];

/** Returns the entry whose path equals the page's path or is its longest prefix in whole segments. */
export function currentEntry<E extends { to: string }>(entries: readonly E[], path: string): E | undefined {
  const ownerPath = siblingPages.find(([page]) => page.test(path))?.[1] ?? path;
  let best: E | undefined;
  for (const entry of entries) {
    const isWithin = ownerPath === entry.to || ownerPath.startsWith(`${entry.to}/`);
    if (isWithin && (!best || entry.to.length > best.to.length)) best = entry;
  }
  return best;
}
