// Parses the JSON of messages, keeping all digits of numbers that a double cannot hold.
import { parseJson } from '../../../../http/exact-json.ts';

/** Maximum nesting of JSON. */
export const maxDataDepth = 400;

/**
 * Maximum number of values and member names, because the thread that evaluates a message parses it and must not be
 * blocked for long. A typical alert has thirty in a kilobyte.
 */
export const maxDataValues = 200_000;

/** Throws JsonError, or JsonTooLargeError for a limit. `counter` counts the values of several texts together. */
export function parseJsonData(text: string, counter?: { values: number }): unknown {
  const limits = { maxDepth: maxDataDepth, maxValues: maxDataValues };
  return parseJson(text, { exact: 'lossy', ...limits, ...(counter ? { counter } : {}) });
}
