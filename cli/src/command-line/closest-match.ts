// Suggests corrections for mistyped words.

/** Up to three candidates close enough to suggest, closest first. */
export function closestMatch(word: string, candidates: Iterable<string>): string[] {
  const reach = Math.max(1, Math.floor(word.length / 3));
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, reach) }))
    .filter(({ distance }) => distance <= reach)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * Damerau-Levenshtein distance (a swap of neighbors is one edit); distances beyond the limit are not
 * distinguished.
 */
function editDistance(a: string, b: string, reach: number): number {
  if (Math.abs(a.length - b.length) > reach || a.length > 100) return reach + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(next[j - 1]! + 1, last[j]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1);
      }
      next.push(best);
    }
    [before, last] = [last, next];
  }
  return last[b.length]!;
}
