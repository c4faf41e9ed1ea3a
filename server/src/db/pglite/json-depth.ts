/** Rejects JSON whose nesting would exhaust the embedded engine's stack when it is parsed as jsonb. */

const maxDepth = 10_000;
const harmlessLength = 2 * maxDepth; // a shorter text cannot be nested more deeply

/**
 * Throws RangeError if a parameter is JSON text nested more than 10,000 levels deep. A last line of defense:
 * external input must be rejected on receipt, with a much lower limit and the name of the field.
 */
export function rejectDeepJson(values: readonly unknown[]): void {
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'string' || value.length <= harmlessLength || !/^\s*[[{]/.test(value)) continue;
    if (!isDeep(value)) continue;
    throw new RangeError(`Parameter ${index + 1} is JSON nested more deeply than ${maxDepth} levels`);
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) isQuoted = !isQuoted;
    else if (code === 0x5c) at += 1;
    else if (isQuoted) continue;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}
