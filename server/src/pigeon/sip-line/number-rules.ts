// Number rules of a trunk: how a number is written for it, and which numbers it may call. Patterns run in linear
// time (RE2 syntax).
import {
  BoundedRegex,
  parseReplacement,
  type ReplacementPart,
} from '@yagura/core/alerthub/engine/data/bounded-regex';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { z } from 'zod';

const maxRules = 50;
const maxPatternLength = 200;
/** Digits that a SIP address can carry without escapes. */
const dialable = /^\+?[0-9*#]{1,32}$/;

const pattern = () =>
  z
    .string()
    .min(1)
    .max(maxPatternLength)
    .refine((given) => compiles(() => new BoundedRegex(given, false)), 'give a pattern in RE2 syntax');

export const numberRulesSchema = z.strictObject({
  /** The first rule whose pattern matches rewrites the number. */
  rewrite: z
    .array(
      z
        .strictObject({ match: pattern(), replace: z.string().max(100) })
        .refine(
          ({ match, replace }) => compiles(() => parseReplacement(replace, new BoundedRegex(match, false))),
          {
            path: ['replace'],
            error: 'refers to a group that the pattern does not have',
            when: ({ issues }) => issues.length === 0,
          },
        ),
    )
    .max(maxRules)
    .default([]),
  /** Patterns of rewritten numbers. Without `allowed`, all that are not denied are allowed. */
  allowed: z.array(pattern()).max(maxRules).default([]),
  denied: z.array(pattern()).max(maxRules).default([]),
});
export type NumberRulesSettings = z.output<typeof numberRulesSchema>;

export class NumberRules {
  private readonly rewrites: { regex: BoundedRegex; replacement: readonly ReplacementPart[] }[];
  private readonly allowed: BoundedRegex[];
  private readonly denied: BoundedRegex[];

  constructor({ rewrite, allowed, denied }: NumberRulesSettings) {
    const compile = (given: string) => new BoundedRegex(given, false);
    this.rewrites = rewrite.map(({ match, replace }) => {
      const regex = compile(match);
      return { regex, replacement: parseReplacement(replace, regex) };
    });
    this.allowed = allowed.map(compile);
    this.denied = denied.map(compile);
  }

  /** The number as the trunk dials it; null if it may not be called. */
  dialedNumber(phoneNumber: string): string | null {
    if (!dialable.test(phoneNumber)) return null;
    const number = this.rewrite(phoneNumber);
    if (number === undefined || !dialable.test(number)) return null;
    if (this.denied.some((regex) => regex.matches(number))) return null;
    return this.allowed.length === 0 || this.allowed.some((regex) => regex.matches(number)) ? number : null;
  }

  private rewrite(phoneNumber: string): string | undefined {
    const rule = this.rewrites.find(({ regex }) => regex.matches(phoneNumber));
    return rule ? rule.regex.replaceAll(phoneNumber, rule.replacement, 64).text : phoneNumber;
  }
}

/** A number for each trunk that may carry a call, in the order of the trunks. */
export interface TrunkNumber {
  trunk: string;
  number: string;
}

/**
 * The numbers to dial for a phone number. Our own caller ids are never dialed, however they are written: such a
 * call would come back to us.
 */
export class DialPlan {
  private readonly trunks: { name: string; rules: NumberRules }[];
  private readonly ownNumbers: Set<string>;

  constructor(
    trunks: readonly { name: string; callerId: string; user: string; numbers: NumberRulesSettings }[],
  ) {
    this.trunks = trunks.map(({ name, numbers }) => ({ name, rules: new NumberRules(numbers) }));
    this.ownNumbers = new Set(trunks.flatMap(({ callerId, user }) => [digitsOf(callerId), digitsOf(user)]));
    this.ownNumbers.delete('');
  }

  numbersFor(phoneNumber: string): TrunkNumber[] {
    const numbers = this.trunks.flatMap(({ name, rules }) => {
      const number = rules.dialedNumber(phoneNumber);
      return number === null ? [] : [{ trunk: name, number }];
    });
    const isOwn = [phoneNumber, ...numbers.map(({ number }) => number)].some((number) =>
      this.ownNumbers.has(digitsOf(number)),
    );
    return isOwn ? [] : numbers;
  }
}

function digitsOf(number: string): string {
  return /^[+\d.-]*$/.test(number) ? number.replaceAll(/\D/g, '') : '';
}

function compiles(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof FlowError) return false;
    throw error;
  }
}
