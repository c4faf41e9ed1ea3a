// Converts zod issues to sentences and to the invalidParams of a 400.

import type { z } from 'zod';
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import { formatViolation, type Violation } from './violation.ts';

export type Issue = z.core.$ZodIssue;

/**
 * The sentence for one issue. Custom checks give a message key in `params.word` and its placeholders beside
 * it.
 */
export function issueMessage(issue: Issue, t: Translate): string {
  return formatViolation(issueViolation(issue), t);
}

/**
 * Each invalid field once, with its first reason; `name` is the dotted path, '' for the whole value. Pass the
 * checked input if available: zod does not distinguish a missing choice from an invalid one.
 */
export function invalidParams(
  error: { issues: Issue[] },
  t: Translate,
  input?: unknown,
): { name: string; reason: string }[] {
  const reasons = new Map<string, string>();
  const add = (path: PropertyKey[], reason: string): void => {
    const name = path.map(String).join('.');
    if (!reasons.has(name)) reasons.set(name, reason);
  };
  for (const issue of flattenUnions(error.issues)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...issue.path, key], t('rule.unknownField'));
    } else if (input !== undefined && issue.path.length > 0 && isMissing(input, issue.path)) {
      add(issue.path, t('rule.required'));
    } else add(issue.path, issueMessage(issue, t));
  }
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}

/** Replaces a failed union by the issues of its closest branch, so that they name the fields inside. */
export function flattenUnions(issues: readonly Issue[], above: PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const path = [...above, ...issue.path];
    if (issue.code === 'invalid_union') {
      const branch = closestBranch(issue.errors as Issue[][]);
      if (branch) return flattenUnions(branch, path);
    }
    return [{ ...issue, path } as Issue];
  });
}

/**
 * A branch with issues only inside the value matches its type; among those, the one with the fewest issues is
 * closest.
 */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
  const inside = branches.filter((branch) => branch.every((issue) => issue.path.length > 0));
  return inside.sort((a, b) => a.length - b.length)[0] ?? (branches.length === 1 ? branches[0] : undefined);
}

function isMissing(input: unknown, path: PropertyKey[]): boolean {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  return value === undefined;
}

function issueViolation(issue: Issue): Violation {
  switch (issue.code) {
    case 'custom': {
      const params = issue.params as Violation | undefined;
      return typeof params?.word === 'string' ? params : { word: 'rule.invalid' };
    }
    case 'invalid_type':
      // zod only says in the message that the value is missing.
      return issue.message.endsWith('received undefined') || (issue.input === undefined && 'input' in issue)
        ? { word: 'rule.required' }
        : { word: typeMessageKeys[issue.expected] ?? 'rule.invalid' };
    case 'too_small':
      return sizeViolation(issue.origin, 'min', issue.minimum, issue.inclusive ?? true);
    case 'too_big':
      return sizeViolation(issue.origin, 'max', issue.maximum, issue.inclusive ?? true);
    case 'invalid_format':
      return formatIssueViolation(issue);
    case 'invalid_value':
      return { word: 'rule.oneOf', options: issue.values.map(String) };
    case 'not_multiple_of':
      return { word: 'rule.multipleOf', divisor: issue.divisor };
    case 'unrecognized_keys':
      return { word: 'rule.unknownField' };
    case 'invalid_union':
      return unionViolation(issue);
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues[0] ? issueViolation(issue.issues[0] as Issue) : { word: 'rule.invalid' };
    default:
      return { word: 'rule.invalid' };
  }
}

const typeMessageKeys: Record<string, MessageKey> = {
  string: 'rule.text',
  number: 'rule.number',
  int: 'rule.integer',
  bigint: 'rule.integer',
  boolean: 'rule.boolean',
  array: 'rule.list',
  tuple: 'rule.list',
  set: 'rule.list',
  object: 'rule.object',
  record: 'rule.object',
  map: 'rule.object',
  date: 'rule.iso8601',
  null: 'rule.empty',
  undefined: 'rule.empty',
  never: 'rule.empty',
};

const formatMessageKeys: Record<string, MessageKey> = {
  email: 'rule.email',
  url: 'rule.url',
  uuid: 'rule.uuid',
  guid: 'rule.uuid',
  datetime: 'rule.rfc3339',
  date: 'rule.date',
  time: 'rule.time',
  ipv4: 'rule.ipv4',
  ipv6: 'rule.ip',
  cidrv4: 'rule.cidr',
  cidrv6: 'rule.ipOrCidr',
  json_string: 'rule.json',
  regex: 'rule.pattern',
};

function sizeViolation(
  origin: string,
  end: 'min' | 'max',
  limit: number | bigint,
  inclusive: boolean,
): Violation {
  if (origin === 'string') {
    if (end === 'min' && limit === 1) return { word: 'rule.required' };
    return { word: end === 'min' ? 'rule.minLength' : 'rule.maxLength', count: Number(limit) };
  }
  if (
    origin === 'array' ||
    origin === 'set' ||
    origin === 'map' ||
    origin === 'object' ||
    origin === 'record'
  ) {
    return { word: end === 'min' ? 'rule.minSize' : 'rule.maxSize', count: Number(limit) };
  }
  const value = origin === 'date' ? new Date(Number(limit)).toISOString() : limit;
  if (end === 'min') return { word: inclusive ? 'rule.greaterOrEqual' : 'rule.greaterThan', min: value };
  return { word: inclusive ? 'rule.lessOrEqual' : 'rule.lessThan', max: value };
}

function formatIssueViolation(issue: Extract<Issue, { code: 'invalid_format' }>): Violation {
  const details = issue as { prefix?: string; suffix?: string; includes?: string };
  if (issue.format === 'starts_with') return { word: 'rule.startsWith', text: details.prefix };
  if (issue.format === 'ends_with') return { word: 'rule.endsWith', text: details.suffix };
  if (issue.format === 'includes') return { word: 'rule.includes', text: details.includes };
  return { word: formatMessageKeys[issue.format] ?? 'rule.invalid' };
}

function unionViolation(issue: Extract<Issue, { code: 'invalid_union' }>): Violation {
  const options = (issue as { options?: unknown[] }).options;
  if (options && options.length > 0) return { word: 'rule.oneOf', options: options.map(String) };
  const reasons = (issue.errors as Issue[][])
    .map((branch) => branch[0])
    .filter((found) => found !== undefined);
  const refusals = reasons.map(issueViolation);
  if (refusals.length > 0 && refusals.every((found) => found.word === 'rule.required')) return refusals[0]!;
  // `null` next to a single real branch only makes the value optional.
  const real = refusals.filter((found) => found.word !== 'rule.empty');
  return real.length === 1 ? real[0]! : { word: 'rule.invalid' };
}
