// Catalogue of operators for the API, the forms and the engine.
import { arithmetic } from './arithmetic.ts';
import { concatenate } from './concatenate.ts';
import { dateShift } from './date-shift.ts';
import { dateTimeCompare } from './date-time-compare.ts';
import type { Operator } from './define-operator.ts';
import { exists, notExists } from './exists.ts';
import { extract } from './extract.ts';
import { htmlToText, removeElements } from './html-operators.ts';
import { jsonParse } from './json-parse.ts';
import { lookupTable } from './lookup-table.ts';
import { numberCompare } from './number-compare.ts';
import { regexExtract } from './regex-extract.ts';
import { regexMatch } from './regex-match.ts';
import { textCompare } from './text-compare.ts';
import { changeCase, replace, split, trim } from './text-operators.ts';

/** All operators in menu order, tests first. */
export const operators: readonly Operator[] = [
  textCompare,
  numberCompare,
  dateTimeCompare,
  exists,
  notExists,
  regexMatch,
  jsonParse,
  extract,
  regexExtract,
  replace,
  changeCase,
  trim,
  split,
  dateShift,
  arithmetic,
  lookupTable,
  concatenate,
  removeElements,
  htmlToText,
];

const byId = new Map(operators.map((operator) => [operator.operatorId, operator]));

/** The operator with this id; undefined if unknown. */
export function findOperator(operatorId: string): Operator | undefined {
  return byId.get(operatorId);
}
