// A recipe sets up a receive slot for one kind of sender: the settings of the slot, the rules that turn its
// messages into severities, and what to enter at the sender.
import type { Step } from '../flow-schema.ts';
import type { ScopeStatus } from '../scope-status.ts';

/** Settings of the receive slot; everything else has its default. */
export interface RecipeSlot {
  kind: 'webhook' | 'email';
  confirmSubscriptions?: true;
}

export interface Recipe {
  /** In kebab case; the translations `recipe.<name>.about` and `recipe.<name>.setup` describe it. */
  name: string;
  /** Name of the sender, the same in all languages; null takes `recipe.<name>.title`. */
  product: string | null;
  slot: RecipeSlot;
  /** JSONPath of the alerts in a message that contains several. */
  forEach: string | null;
  /** Path of the text that names the severity; the default severity if null. */
  severityName: string | null;
  /** Path of the value that identifies an alert, if several may share a severity. */
  fingerprint: string | null;
  /** Steps before those of each rule. */
  steps: readonly Step[];
  /** One rule for each status: the steps that hold for a message, or an element of it, with this status. */
  rules: { readonly [Status in ScopeStatus]?: readonly Step[] };
  /** Seconds after which an alert ends whose sender never reports the end; for a scope made with the recipe. */
  recoveryTime: number | null;
  /** What to enter at the sender, with `{{url}}` or `{{mailAddress}}` in place of the address. */
  snippet: string;
}

const compare = (source: string, params: Record<string, unknown>): Step => ({
  operatorId: 'text-compare',
  params: { source, ignoreCase: true, ...params },
});

export const equals = (source: string, value: string): Step =>
  compare(source, { comparison: 'equals', value });

export const isOneOf = (source: string, ...values: string[]): Step =>
  compare(source, { comparison: 'inList', values });

/** Holds for every other value, and if there is none. */
export const isNoneOf = (source: string, ...values: string[]): Step => ({
  operatorId: 'regex-match',
  params: { source, pattern: `^(?:${values.join('|')})$`, matches: false, ignoreCase: true },
});

export const matches = (source: string, pattern: string): Step => ({
  operatorId: 'regex-match',
  params: { source, pattern },
});

export const matchesNot = (source: string, pattern: string): Step => ({
  operatorId: 'regex-match',
  params: { source, pattern, matches: false },
});

export const extract = (source: string, pattern: string, destination: string): Step => ({
  operatorId: 'regex-extract',
  params: { source, pattern, destination },
});

/** Writes `source` as `item`, every match of the pattern replaced; `$1` is a group of the match. */
export const itemFrom = (source: string, search: string, replacement: string): Step => ({
  operatorId: 'replace',
  params: { source, search, replacement, regex: true, destination: 'item' },
});

/** Writes a text as `name`, cut to the length of a severity name. */
export const nameFrom = (source: string): Step => extract(source, '^\\s*(\\P{Cc}{1,60})', 'name');
