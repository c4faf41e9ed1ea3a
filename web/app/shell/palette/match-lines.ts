// Filters and ranks the palette's lines by the typed text.

export interface PaletteEntry {
  to: string;
  text: string;
  /** Kind of the item, shown next to the text. */
  kind: string;
}

/**
 * Pure: returns the lines whose text or kind contains every typed word. Lines that start with the first word
 * come first, otherwise the order is kept.
 */
export function matchEntries(entries: readonly PaletteEntry[], inputValue: string): PaletteEntry[] {
  const words = inputValue.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  const seen = new Set<string>();
  const fitting = entries.flatMap((entry) => {
    const text = entry.text.normalize('NFKC').toLowerCase();
    const whole = `${text} ${entry.kind.normalize('NFKC').toLowerCase()}`;
    const key = `${entry.to} ${entry.text}`;
    if (seen.has(key) || !words.every((word) => whole.includes(word))) return [];
    seen.add(key);
    return [{ line: entry, first: text.startsWith(words[0]!) ? 0 : 1 }];
  });
  return fitting.sort((a, b) => a.first - b.first).map(({ line }) => line);
}
