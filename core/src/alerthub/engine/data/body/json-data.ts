// Parses the JSON of messages, keeping all digits of numbers that a double cannot hold.
import { parseJson } from '../../../../http/exact-json.ts';

/** Maximum nesting of JSON. */
export const maxDataDepth = 400;

/** Throws SyntaxError. */
export function parseJsonData(text: string): unknown {
  return parseJson(text, { exact: 'lossy', maxDepth: maxDataDepth });
}
