// Puts the tests that may notice a mutation in the order in which they run.

const isBeside = (test, file) => test.replace(/\.test(\.tsx?)$/, '$1') === file;

/** How likely a test notices a mutation for the time that it takes, with the second that each needs besides. */
const worth = ({ weight, ms }) => weight / (1_000 + ms);

/**
 * The test beside the file first, then those that are worth most; as many as take no more than `maxMs` together, and always the first.
 * Gives how many were left out, too.
 */
export function orderTests(tests, file, maxMs) {
  const sorted = [...tests].sort(
    (left, right) =>
      Number(isBeside(right.test, file)) - Number(isBeside(left.test, file)) || worth(right) - worth(left),
  );
  let total = 0;
  const chosen = sorted.filter(({ ms }, index) => {
    if (index > 0 && total + ms > maxMs) return false;
    total += ms;
    return true;
  });
  return { chosen, leftOut: sorted.length - chosen.length };
}
