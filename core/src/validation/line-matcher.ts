// Regular expressions of users (RE2 syntax), which take linear time for every pattern.
import { RE2JS } from 're2js';

/** Returns whether a line has a match. Throws an error that describes an invalid pattern. */
export function compileLineMatcher(pattern: string, ignoreCase: boolean): (line: string) => boolean {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (line) => compiled.matcher(line).find();
}
