// Syntax error of the query grammars, with its position and the expected input.
import type { Translate } from '../i18n/translator.ts';

/** What a grammar expected at a position; the translations are `query.expected.<code>`. */
export type Expected =
  | 'field'
  | 'operator'
  | 'value'
  | 'text-value'
  | 'ordered-value'
  | 'string-end'
  | 'string-escape'
  | 'number-in-range'
  | 'connective'
  | 'closing-bracket'
  | 'term'
  | 'range-end'
  | 'range-to'
  | 'cidr'
  | 'single-field'
  | 'shorter'
  | 'shallower'
  | 'fewer-terms'
  | 'end';

/**
 * An invalid query: `position` counts UTF-16 units from 0 and may equal the length of the text (its end).
 */
export class QueryError extends Error {
  readonly position: number;
  readonly expected: Expected;

  constructor(position: number, expected: Expected) {
    super(`query error at character ${position}: expected ${expected}`);
    this.name = 'QueryError';
    this.position = position;
    this.expected = expected;
  }
}

/** The error as a sentence; characters are counted from 1. */
export function describeQueryError(error: QueryError, t: Translate): string {
  return t('query.error', { position: error.position + 1, expected: t(`query.expected.${error.expected}`) });
}
