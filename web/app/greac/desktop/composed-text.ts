// How text of an input method gets to a desktop: typed as characters, or pasted. Remembered for each destination, as
// some hosts accept characters and show only those that a key of theirs gives.

export type ComposedTextEntry = 'type' | 'paste';

const keyOf = (destinationId: string) => `yagura.composed-text.${destinationId}`;

/** Null if nothing was chosen, or if the browser stores nothing. */
export function composedTextEntry(destinationId: string): ComposedTextEntry | null {
  try {
    const stored = localStorage.getItem(keyOf(destinationId));
    return stored === 'type' || stored === 'paste' ? stored : null;
  } catch {
    return null;
  }
}

export function rememberComposedTextEntry(destinationId: string, entry: ComposedTextEntry): void {
  try {
    localStorage.setItem(keyOf(destinationId), entry);
  } catch {
    // The browser stores nothing: the choice is that of this page.
  }
}

/** Whether a text has characters that few keyboards have: none of a Latin alphabet. */
export const hasOtherScripts = (text: string): boolean => /[^\u0000-\u024f\u2000-\u206f]/.test(text);
