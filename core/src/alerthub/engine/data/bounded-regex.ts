// Regular expressions in linear time (RE2 syntax), with bounds on the size of the program and on the work of one step.
import { type Matcher, RE2JS, RE2JSException } from 're2js';
import { reason } from '../errors/decision-reason.ts';
import { FlowError } from '../errors/flow-error.ts';

const maxPatternLength = 2000;
const maxProgramSize = 2000;
/** Longer input fails the step whatever the pattern. */
const maxSearchLength = 262_144;
/** Characters times instructions of one search: well below a second. */
const maxWork = 25_000_000;
/** The same summed over the searches of one replace-all. */
const maxReplaceWork = 50_000_000;

const atom = String.raw`(?:[^\\[\](){}^$*+?|]|\\[dDwWsSnrtfv.\-/\\()[\]{}+*?^$|]|\[\^?(?:\\.|[^\]\\[])+\])`;
/**
 * Patterns that repeat without bound only at their end, as `\s+` does. A search with one reads hardly past its match;
 * with any other it may read the whole rest for every match.
 */
const readsOnlyMatch = new RegExp(`^(?:${atom}(?:\\?|\\{\\d+(?:,\\d+)?\\})?)*(?:${atom}[+*])?$`);

/** A compiled pattern. */
export class BoundedRegex {
  readonly groups: number;
  readonly #compiled: RE2JS;
  readonly #size: number;
  readonly #readsOnlyMatch: boolean;

  /** Throws FlowError with an empty path that says what is wrong with the pattern. */
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

  /** The longest input that this pattern takes in one search. */
  get maxInputLength(): number {
    return Math.min(maxSearchLength, Math.floor(maxWork / this.#size));
  }

  hasGroup(name: string): boolean {
    return Object.hasOwn(this.#compiled.namedGroups(), name);
  }

  /** Whether any part of the text matches. */
  matches(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** The group of the first match: undefined without a match, null when the group took no part in it. */
  extract(text: string, group: string | number): string | null | undefined {
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? matcher.group(group) : undefined;
  }

  /** Replaces every match; `$1` and `${name}` in the replacement are groups, `$$` is a dollar. Undefined when the work is too much. */
  replaceAll(text: string, replacement: readonly ReplacementPart[], max: number): string | undefined {
    const matcher = this.#compiled.matcher(text);
    let work = 0;
    let done = 0;
    let result = '';
    while (matcher.find()) {
      result += text.slice(done, matcher.start()) + expandReplacement(replacement, matcher);
      done = matcher.end();
      work += this.#readsOnlyMatch ? this.#size : (text.length - matcher.start()) * this.#size;
      if (work > maxReplaceWork || result.length > max) return undefined;
    }
    return result + text.slice(done);
  }
}

export type ReplacementPart = string | { group: string | number };

/** Reads a replacement text. Throws FlowError with an empty path for a group the pattern lacks. */
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

/** A group by number or name. Throws FlowError with an empty path when the pattern has no such group. */
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
