// Runs user-supplied patterns in linear time: RE2 syntax, so no backreferences and no lookaround.
import { RE2JS } from 're2js';
import type { Violation } from './violation.ts';

/** Maximum length of a pattern in UTF-16 units. */
export const maxPatternLength = 1000;
const cacheSize = 200;
const compiled = new Map<string, RE2JS>();

/** An invalid pattern; `refusal` contains RE2's message as `detail`. */
export class PatternError extends Error {
  readonly violation: Violation;

  constructor(detail: string, cause?: unknown) {
    super(`pattern refused: ${detail}`, { cause });
    this.name = 'PatternError';
    this.violation = { word: 'rule.patternSyntax', detail };
  }
}

/** Compiles an RE2 pattern; caches the most recent ones. Throws PatternError. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > maxPatternLength) throw new PatternError(`longer than ${maxPatternLength} characters`);
  let made: RE2JS;
  try {
    made = RE2JS.compile(pattern);
  } catch (error) {
    throw new PatternError((error as Error).message.replace(/^error parsing regexp: /, ''), error);
  }
  if (compiled.size >= cacheSize) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/**
 * Rejects text without a match for the pattern; use anchors to match the whole text. Throws PatternError.
 */
export function checkPattern(text: string, pattern: string): Violation | undefined {
  return compilePattern(pattern).test(text) ? undefined : { word: 'rule.pattern', pattern };
}
