// Puts the tests that may notice a mutation in the order in which they run.
import { dirname, relative } from 'node:path';

/** How far a test is from a file: 0 beside it, then the folders between them; tests of the whole server come after all others. */
function distance(test, file) {
  const beside = test.replace(/\.test(\.tsx?)$/, '$1') === file;
  const steps = relative(dirname(file), dirname(test)).split('/').filter(Boolean).length;
  return (beside ? 0 : 1 + steps) + (/\/test\//.test(test) ? 100 : 0);
}

/**
 * Tests near the file first, of two at one distance the quicker one first; as many as take no more than `maxMs` together, and always
 * the first. Gives how many were left out, too.
 */
export function orderTests(tests, file, maxMs) {
  const sorted = [...tests].sort(
    (left, right) => distance(left.test, file) - distance(right.test, file) || left.ms - right.ms,
  );
  let total = 0;
  const chosen = sorted.filter(({ ms }, index) => {
    if (index > 0 && total + ms > maxMs) return false;
    total += ms;
    return true;
  });
  return { chosen, leftOut: sorted.length - chosen.length };
}
