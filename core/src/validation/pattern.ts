// Patterns from outside, run in time linear in the text: RE2 syntax, so no backreferences and no lookaround.
import { RE2JS } from 're2js';
import type { Violation } from './violation.ts';

/** Longest pattern taken, in UTF-16 units. */
export const maxPatternLength = 1000;
const cacheSize = 200;
const compiled = new Map<string, RE2JS>();

/** The pattern was refused; `refusal` carries RE2's own words as `detail`. */
export class PatternError extends Error {
  readonly violation: Violation;

  constructor(detail: string, cause?: unknown) {
    super(`pattern refused: ${detail}`, { cause });
    this.name = 'PatternError';
    this.violation = { word: 'rule.patternSyntax', detail };
  }
}

/** Compiles an RE2 pattern, remembering the latest ones. Throws PatternError. */
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

/** Refuses text in which the pattern is found nowhere; anchors make it match the whole. Throws PatternError. */
export function checkPattern(text: string, pattern: string): Violation | undefined {
  return compilePattern(pattern).test(text) ? undefined : { word: 'rule.pattern', pattern };
}
