// The comparisons of numbers that steps and trigger conditions share.

export const numberComparisons = ['eq', 'ne', 'ge', 'le', 'gt', 'lt'] as const;
export type NumberComparison = (typeof numberComparisons)[number];

/** The signs that stand for the comparisons in sentences of any language. */
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
