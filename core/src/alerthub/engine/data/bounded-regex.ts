// Linear-time regular expressions (RE2 syntax) with limits on program size and on the work of one step.
import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';

const maxPatternLength = 2000;
const maxProgramSize = 2000;
/** Maximum input length in characters for any pattern; longer input fails the step. */
const maxSearchLength = 262_144;
/** Maximum work of one search, in characters times instructions: well below a second. */
const maxWork = 25_000_000;
/** Maximum work of one replace-all, summed over its searches. */
const maxReplaceWork = 50_000_000;

const atom = String.raw`(?:[^\\[\](){}^$*+?|]|\\[dDwWsSnrtfv.\-/\\()[\]{}+*?^$|]|\[\^?(?:\\.|[^\]\\[])+\])`;
/**
 * Patterns with unbounded repetition only at their end, e.g. `\s+`. A search reads little beyond its match;
 * with any other pattern each search may read the whole rest of the text.
 */
const readsOnlyMatch = new RegExp(`^(?:${atom}(?:\\?|\\{\\d+(?:,\\d+)?\\})?)*(?:${atom}[+*])?$`);

/** A compiled pattern. */
export class BoundedRegex {
  readonly groups: number;
  readonly #compiled: RE2JS;
  readonly #size: number;
  readonly #readsOnlyMatch: boolean;

  /** Throws FlowError with an empty path and the error in the pattern. */
  constructor(pattern: string, ignoreCase: boolean) {
    if (pattern.length > maxPatternLength)
      throw new FlowError('', reason('why.regex.longPattern', { most: maxPatternLength }));
    try {
      this.#compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    } catch (error) {
      throw new FlowError('', patternErrorReason(pattern, error));
    }
    this.#size = this.#compiled.programSize();
    if (this.#size > maxProgramSize) throw new FlowError('', reason('why.regex.tooLarge'));
    this.groups = this.#compiled.groupCount();
    this.#readsOnlyMatch = readsOnlyMatch.test(pattern);
  }

  /** Maximum input length of one search with this pattern. */
  get maxInputLength(): number {
    return Math.min(maxSearchLength, Math.floor(maxWork / this.#size));
  }

  /** Work of one search in characters times instructions. */
  workOf(text: string): number {
    return text.length * this.#size;
  }

  hasGroup(name: string): boolean {
    return Object.hasOwn(this.#compiled.namedGroups(), name);
  }

  /** Whether any part of the text matches. */
  matches(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** The group of the first match; undefined without a match, null if the group did not participate. */
  extract(text: string, group: string | number): string | null | undefined {
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? matcher.group(group) : undefined;
  }

  /**
   * Replaces every match; `$1` and `${name}` in the replacement are groups, `$$` is a dollar. The result is
   * undefined if it takes too much work.
   */
  replaceAll(
    text: string,
    replacement: readonly ReplacementPart[],
    max: number,
  ): { text: string | undefined; work: number } {
    const matcher = this.#compiled.matcher(text);
    let work = 0;
    let done = 0;
    let result = '';
    while (matcher.find()) {
      result += text.slice(done, matcher.start()) + expandReplacement(replacement, matcher);
      done = matcher.end();
      work += this.#readsOnlyMatch ? this.#size : (text.length - matcher.start()) * this.#size;
      if (work > maxReplaceWork || result.length > max) return { text: undefined, work };
    }
    return { text: result + text.slice(done), work };
  }
}

export type ReplacementPart = string | { group: string | number };

/**
 * Parses a replacement text. Throws FlowError with an empty path for a group that the pattern does not have.
 */
export function parseReplacement(text: string, regex: BoundedRegex): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let done = 0;
  for (const match of text.matchAll(/\$(?:(\$)|(\d{1,2})|\{(\w{1,64})\})/g)) {
    parts.push(text.slice(done, match.index));
    done = match.index + match[0].length;
    const name = match[2] ?? match[3];
    if (name === undefined) parts.push('$');
    else parts.push({ group: checkGroup(name, regex) });
  }
  parts.push(text.slice(done));
  return parts;
}

/**
 * Validates a group number or name. Throws FlowError with an empty path if the pattern has no such group.
 */
export function checkGroup(name: string | number, regex: BoundedRegex): string | number {
  const group = /^\d+$/.test(String(name)) ? Number(name) : String(name);
  const known = typeof group === 'number' ? group <= regex.groups : regex.hasGroup(group);
  if (!known) throw new FlowError('', reason('why.regex.noGroup', { group: name }));
  return group;
}

function expandReplacement(parts: readonly ReplacementPart[], matcher: Matcher): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : (matcher.group(part.group) ?? '');
  return text;
}

function patternErrorReason(pattern: string, error: unknown) {
  if (/\(\?<?[=!]/.test(pattern)) return reason('why.regex.lookAround');
  if (/\\[1-9]/.test(pattern)) return reason('why.regex.backReference');
  if (!(error instanceof RE2JSException)) throw error;
  const detail = error.message.replace(/^error parsing regexp: /, '');
  if (detail.startsWith('invalid repeat count') || detail.includes('too large'))
    return reason('why.regex.tooLarge');
  return reason('why.regex.invalid', { detail: detail.slice(0, 200) });
}
