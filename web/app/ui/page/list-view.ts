// Keeps the page, filter and sort order that each list had last, so that the way back from an item leads to the rows
// that it was found in. Nothing is kept on the server or over a reload: links are then the same in both.

/** Query strings by path. */
const views = new Map<string, string>();

export function rememberListView(pathname: string, search: string): void {
  views.set(pathname, search);
}

/** Returns the URL of the list at this path as it was left; the path itself if it was not visited. */
export function lastListView(pathname: string): string {
  return pathname + (views.get(pathname) ?? '');
}
