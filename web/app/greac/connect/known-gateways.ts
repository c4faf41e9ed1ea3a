// Remembers the key thumbprint of each gateway in this browser, so that a replaced key is noticed.

const keyOf = (krokerId: string) => `yagura.gateway.${krokerId}`;

/** Null for a gateway that was not seen before, or if the browser stores nothing. */
export function knownThumbprint(krokerId: string): string | null {
  try {
    return localStorage.getItem(keyOf(krokerId));
  } catch {
    return null;
  }
}

export function rememberThumbprint(krokerId: string, thumbprint: string): void {
  try {
    localStorage.setItem(keyOf(krokerId), thumbprint);
  } catch {
    // The browser stores nothing: the next session starts without a known key.
  }
}
