// Numeric comparisons shared by steps and trigger conditions.

export const numberComparisons = ['eq', 'ne', 'ge', 'le', 'gt', 'lt'] as const;
export type NumberComparison = (typeof numberComparisons)[number];

/** Comparison signs, used in the sentences of every language. */
export const comparisonSigns: Record<NumberComparison, string> = {
  eq: '=',
  ne: '≠',
  ge: '≥',
  le: '≤',
  gt: '>',
  lt: '<',
};

const tests: Record<NumberComparison, (left: number, right: number) => boolean> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  ge: (left, right) => left >= right,
  le: (left, right) => left <= right,
  gt: (left, right) => left > right,
  lt: (left, right) => left < right,
};

/** Whether `left comparison right` holds. */
export function compareNumbers(left: number, comparison: NumberComparison, right: number): boolean {
  return tests[comparison](left, right);
}
