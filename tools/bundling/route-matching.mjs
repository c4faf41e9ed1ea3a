// Makes the router keep what it derives from the routes: it sorts all of them, and compiles their patterns, each time that
// it matches a path, which a document does three times. Routes are fixed once built (`v3_lazyRouteDiscovery` is off).

/** Path of the router's module, as an ES module and as CommonJS. */
export const routerModulePattern = /@remix-run[\\/]router[\\/]dist[\\/]router(?:\.cjs)?\.js$/;

const sortPattern = /let branches = flattenRoutes\(routes\);\s+rankRouteBranches\(branches\);/;
const compilePattern = /function compilePath\(path, caseSensitive, end\)/;

const added = `
const rankedBranches = new WeakMap();
function rankedBranchesOf(routes) {
  let branches = rankedBranches.get(routes);
  if (!branches) {
    branches = flattenRoutes(routes);
    rankRouteBranches(branches);
    rankedBranches.set(routes, branches);
  }
  return branches;
}
const compiledPaths = new Map();
function compilePath(path, caseSensitive, end) {
  const key = [end, caseSensitive, path].join();
  let compiled = compiledPaths.get(key);
  if (!compiled) compiledPaths.set(key, (compiled = compileNewPath(path, caseSensitive, end)));
  return compiled;
}
`;

/** Returns the router's code with these caches. Throws when it is not the code that they were written for. */
export function cacheRouteMatching(code) {
  if (!sortPattern.test(code) || !compilePattern.test(code))
    throw new Error('the router matches paths in another way: see whether it still needs caches');
  return (
    code
      .replace(sortPattern, 'let branches = rankedBranchesOf(routes);')
      .replace(compilePattern, 'function compileNewPath(path, caseSensitive, end)') + added
  );
}
