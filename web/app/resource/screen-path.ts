// Paths of a resource's screens, the same on the server and in the browser.

/** Fills the `:` parameters of a screen with URL-encoded values; undefined when one is missing. */
export function fillScreen(
  screen: string | undefined,
  place: Record<string, string | undefined>,
): string | undefined {
  let complete = screen !== undefined;
  const path = screen?.replace(/:(\w+)/g, (_all, name: string) => {
    const value = place[name];
    if (!value) complete = false;
    return encodeURIComponent(value ?? '');
  });
  return complete ? path : undefined;
}
