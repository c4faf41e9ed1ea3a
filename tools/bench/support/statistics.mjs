// Medians and spreads of samples.

/** The value below which that share (0 to 1) of the samples lies. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The middle sample, or the mean of the two in the middle. */
export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Smallest to largest, e.g. `0.48 to 0.61`. */
export function spread(samples, digits) {
  return `${Math.min(...samples).toFixed(digits)} to ${Math.max(...samples).toFixed(digits)}`;
}
