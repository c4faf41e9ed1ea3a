// Filters and ranks the palette's lines by the typed text.

export interface PaletteEntry {
  to: string;
  text: string;
  /** Kind of the item, shown next to the text. */
  kind: string;
}

/**
 * Pure: returns the lines whose text or kind contains every typed word. Lines that are the typed text come first,
 * then those that start with the first word; otherwise the order is kept.
 */
export function matchEntries(entries: readonly PaletteEntry[], inputValue: string): PaletteEntry[] {
  const typed = inputValue.normalize('NFKC').toLowerCase().trim();
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...entries];
  const seen = new Set<string>();
  const fitting = entries.flatMap((entry) => {
    const text = entry.text.normalize('NFKC').toLowerCase();
    const whole = `${text} ${entry.kind.normalize('NFKC').toLowerCase()}`;
    const key = `${entry.to} ${entry.text}`;
    if (seen.has(key) || !words.every((word) => whole.includes(word))) return [];
    seen.add(key);
    return [{ line: entry, rank: text === typed ? 0 : text.startsWith(words[0]!) ? 1 : 2 }];
  });
  return fitting.sort((a, b) => a.rank - b.rank).map(({ line }) => line);
}
