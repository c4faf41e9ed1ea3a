// Which lines of the palette fit what was typed, the best first.

export interface Line {
  to: string;
  text: string;
  /** What kind of thing it is, shown beside the text. */
  kind: string;
}

/** Pure: lines whose text or kind hold every typed word; those that begin with the first word come first, else the order stays. */
export function matchLines(lines: readonly Line[], typed: string): Line[] {
  const words = typed.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...lines];
  const seen = new Set<string>();
  const fitting = lines.flatMap((line) => {
    const text = line.text.normalize('NFKC').toLowerCase();
    const whole = `${text} ${line.kind.normalize('NFKC').toLowerCase()}`;
    const key = `${line.to} ${line.text}`;
    if (seen.has(key) || !words.every((word) => whole.includes(word))) return [];
    seen.add(key);
    return [{ line, first: text.startsWith(words[0]!) ? 0 : 1 }];
  });
  return fitting.sort((a, b) => a.first - b.first).map(({ line }) => line);
}
