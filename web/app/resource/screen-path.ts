// Builds the paths of a resource's pages, on the server and in the browser.

/** Fills the `:` parameters of a path with URL-encoded values; undefined if one is missing. */
export function fillScreenPath(
  screen: string | undefined,
  pathParams: Record<string, string | undefined>,
): string | undefined {
  let isComplete = screen !== undefined;
  const path = screen?.replace(/:(\w+)/g, (_all, name: string) => {
    const value = pathParams[name];
    if (!value) isComplete = false;
    return encodeURIComponent(value ?? '');
  });
  return isComplete ? path : undefined;
}
